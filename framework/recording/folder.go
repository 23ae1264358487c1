package recording

import "fmt"

func folder(index int, warmup bool) string {
	if warmup {
		if index == 0 {
			return "warmup"
		}
		return fmt.Sprintf("warmup-%d", index)
	}
	return fmt.Sprintf("burst-%d", index)
}
