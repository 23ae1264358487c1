package reports

// Names of the files of this package's formats in a run's folder.
const (
	JSONFile     = "report.json"
	JUnitFile    = "junit.xml"
	MarkdownFile = "summary.md"
	HTMLFile     = "report.html"
)
