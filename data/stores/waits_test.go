package stores

import (
	"os"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// Hundreds of requests fail here, and each is sent again after a wait. The waits between attempts
// are a hundredth; the patience with one request stays.
func TestMain(m *testing.M) {
	outside.Judge(func(c outside.Call) (f outside.Fault) {
		if c.Kind == outside.Wait && c.Wait <= time.Second {
			f.Shift = c.Wait/100 - c.Wait
		}
		return f
	})
	os.Exit(m.Run())
}
