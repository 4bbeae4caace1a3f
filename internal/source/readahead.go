package source

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

const (
	// Sources that are read before their turn: of a store where each request takes its time, of
	// compressed ones one for each thread.
	remoteAhead = 4
	mostAhead   = 8
	// Of each of them so much text, at most, in chunks.
	textAhead = 4 << 20
	chunkSize = 64 << 10
	// Together they take this part of the limit of memory, at most.
	partAhead = 16
	// tailSize is how many bytes at the end of a binary file are read ahead: they hold its footer.
	tailSize = 64 << 10
)

// ahead reads sources before their turn, each by a goroutine of its own: files of a store, whose
// requests take long, and compressed text, which takes a processor. What a reader gets, and the
// error that it gets first, are those of opening one source after the other.
//
//	source 0   ....read....
//	source 1   4 MB of text     ....read....
//	source 2   4 MB of text                    ....read....
//	source 3                    4 MB of text                  ....read....
type ahead struct {
	ctx     context.Context
	sources []Source
	most    int // sources behind the current one
	chunks  int // of text of each of them
	running sync.WaitGroup

	mu    sync.Mutex
	texts map[int]*pump
	tails map[int]*tail
}

// ReadAhead returns sources that are read before their turn, as far as that helps and threads and
// memory allow. stop ends it.
func ReadAhead(ctx context.Context, o *data.ReadOptions, sources []Source) (read []Source, stop func()) {
	a := &ahead{sources: sources, texts: map[int]*pump{}, tails: map[int]*tail{}}
	remote := slices.ContainsFunc(sources, func(s Source) bool { return s.store != nil })
	a.most = parallel.Workers(o.Threads) - 1
	if remote {
		a.most = max(a.most, remoteAhead)
	}
	a.most = min(a.most, mostAhead, len(sources)-1)
	if a.most < 1 {
		return sources, func() {}
	}
	bytes := min(textAhead, o.Memory.Bytes()/partAhead/int64(a.most+1))
	if a.chunks = int(bytes / chunkSize); a.chunks < 1 {
		return sources, func() {}
	}
	var cancel context.CancelFunc
	a.ctx, cancel = context.WithCancel(ctx)
	a.sources = slices.Clone(sources)
	for i := range a.sources {
		a.sources[i].ahead, a.sources[i].number = a, i
	}
	return a.sources, func() {
		cancel()
		a.running.Wait()
	}
}

// helps reports whether a source of text is read before its turn.
func (s *Source) helps() bool {
	name := strings.ToLower(s.Name)
	return s.held == nil && s.once == nil &&
		(s.store != nil || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst"))
}

// next calls begin for a source and those behind it, as far as they are read ahead.
func (a *ahead) next(number int, begin func(i int)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := number; i <= min(number+a.most, len(a.sources)-1); i++ {
		if a.sources[i].helps() {
			begin(i)
		}
	}
}

// text begins to read a source and those behind it.
func (a *ahead) text(s *Source, format string) (*Text, error) {
	a.next(s.number, func(i int) {
		if a.texts[i] == nil {
			a.texts[i] = a.pump(&a.sources[i], format)
		}
	})
	a.mu.Lock()
	p := a.texts[s.number]
	delete(a.texts, s.number)
	a.mu.Unlock()
	select {
	case <-p.opened:
	case <-a.ctx.Done():
		return nil, a.ctx.Err()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Text{name: s.Name, size: s.Size, packed: p.packed, pump: p, close: p.close}, nil
}

// pump is a text that a goroutine reads ahead.
type pump struct {
	ctx    context.Context
	close  context.CancelFunc // ends the goroutine
	chunks chan chunk
	opened chan struct{} // closed once packed and err are set
	packed string
	err    error // of opening
	left   chunk // of the last one
	over   bool  // that was the end
}

// chunk is a piece of a text; without bytes it is the end.
type chunk struct {
	text   []byte
	stored int64 // bytes of the source up to its end, as stored
	err    error
}

func (a *ahead) pump(s *Source, format string) *pump {
	p := &pump{chunks: make(chan chunk, a.chunks), opened: make(chan struct{})}
	p.ctx, p.close = context.WithCancel(a.ctx)
	a.running.Go(func() {
		in, err := s.openText(p.ctx, format)
		if p.err = err; err != nil {
			close(p.opened)
			return
		}
		defer in.Close()
		p.packed = in.Packed()
		close(p.opened)
		for {
			c := chunk{text: make([]byte, chunkSize)}
			n, err := in.Fill(c.text)
			c.text, c.stored, c.err = c.text[:n], in.Stored(), err
			select {
			case p.chunks <- c:
			case <-p.ctx.Done():
				return
			}
			if n == 0 {
				return
			}
		}
	})
	return p
}

// fill is Text.Fill.
func (p *pump) fill(b []byte) (int, error) {
	if len(p.left.text) == 0 && !p.over {
		select {
		case p.left = <-p.chunks:
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
		p.over = len(p.left.text) == 0
	}
	if p.over {
		return 0, p.left.err // nil at the end of the text
	}
	n := copy(b, p.left.text)
	p.left.text = p.left.text[n:]
	return n, nil
}

// tail is the end of a binary file of a store, which holds its footer.
type tail struct {
	read chan struct{} // closed once the others are set
	b    []byte
	err  error
}

// file gives a file of a store its end, and begins to read those of the files behind it.
func (a *ahead) file(s *Source, f *File) {
	a.next(s.number, func(i int) {
		if a.tails[i] == nil {
			a.tails[i] = a.tail(&a.sources[i])
		}
	})
	a.mu.Lock()
	t := a.tails[s.number]
	delete(a.tails, s.number)
	a.mu.Unlock()
	if t == nil {
		return
	}
	select {
	case <-t.read:
	case <-a.ctx.Done():
		return
	}
	f.near(t.b, f.Size()-int64(len(t.b)), t.err)
}

func (a *ahead) tail(s *Source) *tail {
	t := &tail{read: make(chan struct{})}
	a.running.Go(func() {
		defer close(t.read)
		t.b = make([]byte, min(s.Size, tailSize))
		if n, err := (remoteAt{a.ctx, s}).ReadAt(t.b, s.Size-int64(len(t.b))); n < len(t.b) {
			t.err = err
		}
	})
	return t
}
