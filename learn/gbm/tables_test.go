package gbm_test

import (
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
)

// tableOf is what a table was read as.
type tableOf struct {
	file, label string
	task        data.Task
}

var (
	tablesLock sync.Mutex
	tables     = map[tableOf]*data.Dataset{}
)

// read reads a table with a label once for all tests, which must not change its columns.
func read(t testing.TB, file, label string, task data.Task) *data.Dataset {
	t.Helper()
	tablesLock.Lock()
	defer tablesLock.Unlock()
	of := tableOf{file, label, task}
	if tables[of] == nil {
		tables[of] = datatest.Read(t, file, data.Roles{Label: label, Task: task})
	}
	own := *tables[of]
	return &own
}
