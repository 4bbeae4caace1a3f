package serve

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// LogOptions are the choices of NewPredictionLog.
type LogOptions struct {
	// Folder is where the files are. It is made if it is not there.
	Folder string
	// Fraction of the rows is logged, which are chosen at random; 0 = all.
	Fraction float64
	// Inputs are the columns whose values are logged; nil: all. Redact are those that never are.
	Inputs, Redact []string
	// Queue is how many rows may wait to be written; 0 = 4096. More are lost, and counted.
	Queue int
	// Failed gets the error of a file, once as long as it stays the same; nil: nobody wants it.
	Failed func(error)
}

// PredictionLog writes the rows that a server predicts as JSON lines, like the command predict with
// --log:
//
//	{"time":"2026-03-01T12:00:00.5Z","id":17,"model":"701a10d0...",
//	 "inputs":{"age":31,"plan":"basic"},"prediction":"yes","p_no":0.2,"p_yes":0.8,"flags":"new plan"}
//
// Files are called by the hour of their rows in UTC, such as 2026-03-01T12.jsonl, and have whole
// lines alone. A goroutine of its own writes them, so that no request waits for a disk. Where that
// is too slow, or full, rows are lost and counted.
//
// Inputs are what the model saw: null is missing, dates are in UTC, and a category that the model
// does not have is UnknownCategory. Texts are left out, since a row keeps counts of their words.
// It is safe for concurrent use.
type PredictionLog struct {
	o             LogOptions
	queue         chan *loggedRow
	closing       sync.RWMutex // held for writing once the queue is closed
	closed        bool
	stem          rng.Stem
	seen          atomic.Uint64
	written, lost atomic.Int64
	scratch       sync.Pool // of *loggedRow
	done          chan struct{}

	// of the goroutine that writes
	file   *outside.File
	name   string // of file
	lines  []byte
	held   int64  // rows of lines
	failed string // the error that was reported last
}

// UnknownCategory stands in logs and reasons for a category that the model does not have.
const UnknownCategory = "(unknown)"

// loggedRow is a row that waits to be written.
type loggedRow struct {
	PredictedRow
	time time.Time
}

const (
	defaultQueue = 4096
	forLog       = 2       // the stream of the sample
	mostLines    = 1 << 16 // bytes that are written at a time
)

// NewPredictionLog begins a log; Close ends it. Its Add is for Options.EachRow. Errors: a folder
// that cannot be made, and a fraction that is none.
func NewPredictionLog(o LogOptions) (*PredictionLog, error) {
	if !(o.Fraction >= 0 && o.Fraction <= 1) {
		return nil, errors.New("the fraction of rows that are logged is from 0 to 1")
	}
	if err := outside.MakeFolder(o.Folder); err != nil {
		return nil, err
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	l := &PredictionLog{o: o, queue: make(chan *loggedRow, o.Queue), done: make(chan struct{}),
		stem: rng.NewStem(uint64(outside.Now().UnixNano()), forLog)}
	go l.write()
	return l, nil
}

// Add lets a row be written. It never waits.
func (l *PredictionLog) Add(r *PredictedRow) {
	if n := l.seen.Add(1); l.o.Fraction > 0 && l.stem.Float64(n) >= l.o.Fraction {
		return
	}
	own, _ := l.scratch.Get().(*loggedRow)
	if own == nil {
		own = &loggedRow{}
	}
	own.Model, own.IDField, own.time = r.Model, r.IDField, outside.Now()
	own.ID, own.Row = append(own.ID[:0], r.ID...), append(own.Row[:0], r.Row...)
	own.Response, own.Flags = append(own.Response[:0], r.Response...), append(own.Flags[:0], r.Flags...)
	l.closing.RLock()
	defer l.closing.RUnlock()
	if !l.closed {
		select {
		case l.queue <- own:
			return
		default:
		}
	}
	l.lost.Add(1)
	l.scratch.Put(own)
}

// Written and Lost return how many rows are in files, and how many found no place in the queue or
// on the disk.
func (l *PredictionLog) Written() int64 { return l.written.Load() }

// Lost is described at Written.
func (l *PredictionLog) Lost() int64 { return l.lost.Load() }

// Close writes the rows that wait, and closes the file. Rows that are added later are lost.
func (l *PredictionLog) Close() {
	l.closing.Lock()
	if !l.closed {
		l.closed = true
		close(l.queue)
	}
	l.closing.Unlock()
	<-l.done
}

// write writes rows until the queue is closed.
func (l *PredictionLog) write() {
	defer close(l.done)
	for r := range l.queue {
		name := r.time.UTC().Format("2006-01-02T15") + ".jsonl"
		if name != l.name {
			l.flush()
			l.rotate(name)
		}
		l.lines = append(l.append(l.lines, r), '\n')
		l.held++
		l.scratch.Put(r)
		if len(l.queue) == 0 || len(l.lines) >= mostLines {
			l.flush()
		}
	}
	l.flush()
	l.rotate("")
}

// rotate closes the file, and lets flush open another one.
func (l *PredictionLog) rotate(name string) {
	if l.file != nil {
		if err := l.file.Close(); err != nil {
			l.report(err)
		}
	}
	l.file, l.name = nil, name
}

// flush writes the lines that are held.
func (l *PredictionLog) flush() {
	if l.held == 0 {
		return
	}
	var err error
	if l.file == nil {
		l.file, err = outside.OpenForWriting(filepath.Join(l.o.Folder, l.name),
			os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o640)
		if err == nil {
			err = l.repair()
		}
	}
	if err == nil {
		var n int
		if n, err = l.file.Write(l.lines); err != nil && n > 0 {
			err = errors.Join(err, l.cut(n))
		}
	}
	l.report(err)
	if err == nil {
		l.written.Add(l.held)
	} else {
		l.lost.Add(l.held)
		l.rotate(l.name)
	}
	l.lines, l.held = l.lines[:0], 0
}

// repair takes the end of the file away if a crash has cut it inside of a line, which would stand
// before the next one.
func (l *PredictionLog) repair() error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	whole, b := int64(0), make([]byte, mostLines)
	for end := info.Size(); end > 0 && whole == 0; {
		n := min(end, mostLines)
		end -= n
		if _, err := l.file.ReadAt(b[:n], end); err != nil {
			return err
		}
		if at := bytes.LastIndexByte(b[:n], '\n'); at >= 0 {
			whole = end + int64(at) + 1
		}
	}
	if whole == info.Size() {
		return nil
	}
	return l.file.Truncate(whole)
}

// cut takes the last bytes of the file away, which end inside of a line.
func (l *PredictionLog) cut(n int) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	return l.file.Truncate(info.Size() - int64(n))
}

// report passes on an error that is another one than before.
func (l *PredictionLog) report(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != l.failed && l.o.Failed != nil {
		l.o.Failed(err)
	}
	l.failed = text
}

// append appends a row as a line of JSON.
func (l *PredictionLog) append(b []byte, r *loggedRow) []byte {
	b = r.time.UTC().AppendFormat(append(b, `{"time":"`...), time.RFC3339Nano)
	b = append(b, '"')
	if len(r.ID) > 0 {
		b = append(append(appendText(append(b, ','), cmp.Or(r.IDField, "id")), ':'), r.ID...)
	}
	b = appendText(field(b, "model"), r.Model.id)
	b = append(field(b, "inputs"), '{')
	rows := r.Model.rows
	for i := range rows.Columns() {
		f := rows.Field(i)
		if f.Kind == data.Text || l.o.Inputs != nil && !slices.Contains(l.o.Inputs, f.Name) ||
			slices.Contains(l.o.Redact, f.Name) {
			continue
		}
		b = appendInput(field(b, f.Name), f, rows.Value(r.Row, i))
	}
	b = append(b, '}')
	spec := r.Model.spec
	if spec.Labels() {
		b = appendText(field(b, "prediction"), spec.Classes[spec.Decision.Label(r.Response)])
	}
	for i, name := range r.Model.logged {
		b = appendNumber(append(append(append(b, ','), name...), ':'), r.Response[i])
	}
	if len(r.Flags) > 0 {
		b = appendText(field(b, "flags"), flagsText(r.Flags))
	}
	return append(b, '}')
}

// appendInput appends a value of a column.
func appendInput(b []byte, f *data.Field, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, "null"...)
	case f.Kind == data.Date:
		return appendText(b, data.DateText(v))
	case f.Kind != data.Categorical:
		return appendNumber(b, v)
	case v < 0 || int(v) >= len(f.Levels):
		return appendText(b, UnknownCategory)
	}
	return appendText(b, f.Levels[int(v)])
}

// loggedNames returns the names of the numbers of a response, as JSON, like those of the columns
// that the command predict writes.
func loggedNames(spec *model.Spec, width int) []string {
	var names []string
	for i := range width {
		name := "prediction_" + strconv.Itoa(i)
		switch {
		case spec.Task.Classes():
			name = "p_" + spec.Classes[i]
		case len(spec.Quantiles) > 1:
			name = "q" + strconv.FormatFloat(spec.Quantiles[i], 'g', -1, 64)
		case spec.Task == data.Anomaly:
			name = "score"
		case width == 1:
			name = "prediction"
		}
		names = append(names, string(quotedJSON(name)))
	}
	return names
}
