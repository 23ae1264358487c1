// Package html writes report.html: one file that explains a run at a glance. It draws
// the run's figures; the tables and sentences that the terminal and summary.md show as
// well are those of package reports.
//
// Figures follow a few rules. The burst is the sample, so bursts are drawn as lines of
// their own and never averaged away. Axes of time begin at 0. A profile is a line with a
// color and a dash pattern, a phase is a fill with a color and a number.
package html
