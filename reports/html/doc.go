// Package html writes report.html: one file that explains a run at a glance and
// survives being mailed, printed or opened without a network. It has no script
// and loads nothing; its figures are SVG that is drawn here.
//
// The page is data first: every section is made of blocks (sentences, lists,
// tables, figures), and one template renders them, so that whatever a name or
// an error text holds passes html/template's escaping. Each figure carries a
// title and a description for screen readers and a table of its numbers.
//
// Figures follow a few rules. The burst is the sample, so bursts are drawn as
// lines of their own and never averaged away. Axes of time begin at 0. A
// profile is a line with a color and a dash pattern, a phase is a fill with a
// color and a number. Colors are those of Okabe and Ito's palette
// (https://jfly.uni-koeln.de/color/), darkened where white paper needs it.
package html
