package memory

import (
	"testing"
	"testing/fstest"
)

// The limits of a process are those of its own control group and of all around it, in both
// versions.
func TestControlGroups(t *testing.T) {
	const total = "MemTotal:       24000000 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no group":            {map[string]string{}, none},
		"version 2, no limit": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, none},
		"version 2":           {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4294967296\n"}, 4 << 30},
		"version 2, around": {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "1000\n",
			"sys/fs/cgroup/a/b/memory.max": "2000\n"}, 1000},
		"version 2, own": {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "3000\n",
			"sys/fs/cgroup/a/b/memory.max": "2000\n"}, 2000},
		"version 1": {map[string]string{"proc/self/cgroup": "9:cpu:/x\n5:memory:/job\n1:name=systemd:/\n",
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": "7000\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 7000},
		"version 1, in a container": {map[string]string{"proc/self/cgroup": "5:memory:/docker/1\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "8000\n"}, 8000},
	} {
		root := fstest.MapFS{"proc/meminfo": {Data: []byte(total)}}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groups(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := memTotal(root); got != 24000000<<10 {
			t.Errorf("%s: %d", name, got)
		}
	}
	if got := memTotal(fstest.MapFS{}); got != unknown {
		t.Errorf("without /proc: %d", got)
	}
}
