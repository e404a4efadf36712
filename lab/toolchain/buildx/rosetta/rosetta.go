// Package rosetta stands in for a module that the Go proxy does not serve. The Docker client asks it one thing, for its version
// line on a Mac: whether it runs translated. The lab runs on Linux only.
package rosetta

// Enabled says that nothing is translated here.
func Enabled() bool { return false }
