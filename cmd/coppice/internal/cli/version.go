package cli

import "runtime/debug"

// BuildVersion returns the version of the module. For a build from a checkout it adds the revision
// and whether files were changed.
func BuildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				changed = ", changed"
			}
		}
	}
	if version == "(devel)" && revision != "" {
		return version + " " + revision[:min(len(revision), 12)] + changed
	}
	return version
}
