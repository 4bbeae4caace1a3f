package serve

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arrowdata"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/serve"
)

// arrow reads and writes streams and files of Arrow IPC. A body may be compressed: its table may
// take some times the limit of bodies, and no more.
func arrow(mostBody int64) serve.TableFormat {
	const times = 8
	return serve.TableFormat{Type: "application/vnd.apache.arrow.stream", Write: arrowdata.Write,
		Read: func(ctx context.Context, body []byte) (*data.Frame, error) {
			const name = "body"
			o := data.ReadOptions{Bytes: map[string][]byte{name: body}, Memory: memory.Limit(times * mostBody)}
			return arrowdata.Open(o, name).Frame(ctx)
		}}
}
