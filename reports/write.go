package reports

// Names of this package's files in a run's folder.
const (
	JSONFile     = "report.json"
	JUnitFile    = "junit.xml"
	MarkdownFile = "summary.md"
	HTMLFile     = "report.html"
)
