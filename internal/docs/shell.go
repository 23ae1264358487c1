package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// Command is one simple command of a shell line.
type Command struct {
	// Env are the variable assignments before it.
	Env []string
	// Words are its name and arguments, without quotes. Redirections are left out.
	Words []string
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// Commands splits the text of a block into its commands: the parts of pipes and
// lists, line by line. A line that ends with '\' continues on the next.
// Comments are left out. It knows as much shell as the documentation needs, and
// refuses here-documents.
func Commands(text string) ([]Command, error) {
	var all []Command
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		found, err := commandsOf(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

func commandsOf(line string) ([]Command, error) {
	var all []Command
	var current Command
	word, inWord := "", false
	var quote rune
	redirected := false
	endWord := func() {
		switch {
		case !inWord:
		case redirected:
			redirected = false
		case len(current.Words) == 0 && assignment.MatchString(word):
			current.Env = append(current.Env, word)
		default:
			current.Words = append(current.Words, word)
		}
		word, inWord = "", false
	}
	end := func() {
		endWord()
		if len(current.Words) > 0 || len(current.Env) > 0 {
			all = append(all, current)
		}
		current = Command{}
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == '#' && !inWord:
			end()
			return all, nil
		case r == '|' || r == ';' || r == '&':
			end()
		case r == '>' || r == '<':
			if r == '<' && redirected && !inWord {
				return nil, fmt.Errorf("here-documents are not understood")
			}
			if inWord && strings.Trim(word, "0123456789") == "" {
				word, inWord = "", false // a file descriptor
			}
			endWord()
			redirected = true
		case r == ' ' || r == '\t':
			endWord()
		default:
			word, inWord = word+string(r), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed")
	}
	end()
	return all, nil
}
