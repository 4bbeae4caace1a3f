package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// lines answers JSON lines as they come, each by a line. Those that have come already are predicted
// together. A row that cannot be predicted is answered by its error, since the answer has begun.
// The stream ends behind a line that is no JSON.
func (q *rowRequest) lines(r *http.Request) error {
	w, b := q.call, q.buffer
	select {
	case q.server.streams <- struct{}{}:
		defer func() { <-q.server.streams }()
	default:
		return tooMany(cap(q.server.streams), "streams of JSON lines")
	}
	q.by = true
	in := bufio.NewReaderSize(q.call, 1<<16)
	w.Header().Set("Content-Type", typeLines)
	w.Header().Set("X-Model-Id", q.model.id)
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/1: rows are answered before all have come
	endless := context.WithoutCancel(r.Context())
	rows := q.model.newBatch()
	defer q.model.batches.Put(rows)
	ended := error(nil)
	for from := 0; ended == nil; from += len(rows.in) {
		rows.in = rows.in[:0]
		q.waits()
		for ended == nil {
			ended = q.nextLine(b, in, rows, from)
			q.left = q.server.MaxBody
			if in.Buffered() == 0 || len(rows.in) == q.model.most() {
				break
			}
		}
		q.enter()
		_ = q.predict(endless, rows, from) // which fails by its context alone
		b.answer = b.answer[:0]
		for i := range rows.in {
			b.answer = append(rows.out[i].appendJSON(b.answer, ""), '\n')
		}
		if ended != nil && !errors.Is(ended, io.EOF) {
			p := prediction{err: problemOf(ended)}
			b.answer = append(p.appendJSON(b.answer, ""), '\n')
		}
		q.waits()
		if _, gone := w.Write(b.answer); gone != nil {
			return nil
		}
		_ = control.Flush()
	}
	q.skipRest(r)
	return nil
}

// skipRest reads what the client still sends behind the end of its stream, in the time for a
// request. A connection of HTTP/1 that may answer before it has read has to be read to the end by
// its handler: the server takes the rest for the next request, or fails.
func (q *rowRequest) skipRest(r *http.Request) {
	if r.ProtoMajor > 1 {
		return
	}
	q.waits()
	if _, err := io.Copy(io.Discard, q.body); err != nil {
		if c, _, err := http.NewResponseController(q.call).Hijack(); err == nil {
			_ = c.Close() // so that the server reads no request in the middle of the stream
		}
	}
}

// nextLine reads a line into a batch, unless it is empty. The error ends the stream: of reading, or
// of a line that is no JSON.
func (q *rowRequest) nextLine(b *buffer, in *bufio.Reader, rows *batch, from int) error {
	ended := b.line(in)
	if b.scanner.Next() == 0 {
		return ended
	}
	row := from + len(rows.in) + 1
	read, err := q.object(&b.scanner, rows.slot(q.model), row)
	if err == nil {
		err = b.scanner.end()
	}
	if err != nil {
		return fmt.Errorf("row %d: %w", row, err)
	}
	read.id = bytes.Clone(read.id) // of a line, whose memory the next one takes
	rows.in = append(rows.in, read)
	return ended
}

// line reads the next line for the scanner.
func (b *buffer) line(in *bufio.Reader) error {
	b.body.Reset()
	for {
		part, err := in.ReadSlice('\n')
		b.body.Write(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			b.scanner.reset(b.body.Bytes())
			return err
		}
	}
}
