// Package html writes report.html: one file that explains a run at a glance. It draws the
// run's figures. Tables and sentences that the terminal and summary.md show as well come
// from package reports.
//
// Figures follow a few rules. The burst is the sample, so each burst is a line of its own
// and bursts are never averaged. Time axes begin at 0. A profile is a line with a color and
// a dash pattern; a phase is a fill with a color and a number.
package html
