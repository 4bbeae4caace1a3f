package replace

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// A file that is being written is called prefix, kernel, "-", the number of the process, "-" and a
// random number. A program that was killed leaves its file behind. The next File into the same
// folder removes it: at once if its name reports that a process of this kernel wrote it which is
// there no more, else once it was not written to for staleAfter.
const (
	prefix     = ".coppice-saving-"
	staleAfter = time.Hour
)

// kernel names what numbers of processes are valid in, the same for no other machine, so that
// folders may be shared over a network or between containers; "" if the system does not report it.
var kernel = sync.OnceValue(func() string {
	id := kernelID()
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return fmt.Sprintf("%x", sum[:8])
})

// temporaryName returns a name for a file that this process writes.
func temporaryName() string {
	return fmt.Sprintf("%s%s-%d-%016x", prefix, kernel(), os.Getpid(), rand.Uint64())
}

// removeStale removes what killed programs left, by the time at which a file in the folder has been
// written. It is a courtesy: its own failures do not matter.
func removeStale(folder string, now time.Time) {
	entries, err := outside.ListFolder(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		if orphaned(e.Name()) || old(e, now) {
			_ = outside.RemoveFile(filepath.Join(folder, e.Name()))
		}
	}
}

// orphaned reports whether a file was written by a process of this kernel that has ended. Where the
// number is in use again, the file is left for old to find.
func orphaned(name string) bool {
	fields := strings.Split(strings.TrimPrefix(name, prefix), "-")
	return len(fields) == 3 && Ended(fields[0]+"-"+fields[1])
}

// Process returns a text that names this process among all of this machine, or of others that share
// a folder with it.
func Process() string { return fmt.Sprintf("%s-%d", kernel(), os.Getpid()) }

// Here reports whether a process that Process named is of this machine, where Ended knows whether
// it runs.
func Here(process string) bool {
	of, _, _ := strings.Cut(process, "-")
	return of != "" && of == kernel()
}

// Ended reports whether a process that Process named on this machine has ended. It is false where
// that cannot be known: of other machines, and on systems that do not report it.
func Ended(process string) bool {
	_, number, _ := strings.Cut(process, "-")
	pid, err := strconv.Atoi(number)
	return Here(process) && err == nil && pid > 0 && ended(pid)
}

// old reports whether a file was not written to for staleAfter. Both times are by the clock of the
// folder: by the own one a file that another machine writes to could seem old.
func old(e fs.DirEntry, now time.Time) bool {
	info, err := e.Info()
	return err == nil && now.Sub(info.ModTime()) > staleAfter
}
