package mpi

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/ranks"
)

// Patience is how long a rank may be silent before all ranks end: 15 seconds. A rank sends a
// heartbeat ten times within it, also while it computes or waits.
const Patience = 15 * time.Second

// Watch ends the work of all ranks when one of them has ended, is frozen, or fails. MPI would wait
// for it for ever. Each rank has a connection to rank 0:
//
//	rank 1 --- beat, fail TEXT, bye ---> rank 0
//	       <-- beat, end ---------------
type Watch struct {
	rank     int
	patience time.Duration
	cancel   context.CancelCauseFunc
	listener net.Listener // of rank 0

	mu    sync.Mutex
	links []*link // rank 0: by rank; others: one to rank 0
	over  bool
}

// LostError is the cause of a context that a Watch ends: a rank that has ended, is frozen, or
// failed.
type LostError struct {
	Rank int
	text string
}

func (e *LostError) Error() string { return e.text }

// link is the connection to another rank.
type link struct {
	rank int
	name string // of the rank, with its host
	conn net.Conn
	mu   sync.Mutex // of writes
}

// hello is what a rank sends first.
type hello struct {
	Token, Host string
	Rank        int
}

// address is where rank 0 listens, as it broadcasts it.
type address struct {
	Token string
	Hosts []string
	Port  int
}

// NewWatch connects all ranks of a group, and returns a context that is done when a rank is lost;
// its cause names the rank. patience 0 is Patience. All ranks call it.
func NewWatch(
	ctx context.Context, g ranks.Group, patience time.Duration,
) (*Watch, context.Context, error) {
	if patience == 0 {
		patience = Patience
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &Watch{rank: g.Rank(), patience: patience, cancel: cancel}
	if g.Size() == 1 {
		return w, ctx, nil
	}
	var err error
	if g.Rank() == 0 {
		err = w.listen(ctx, g)
	} else {
		err = w.connect(ctx, g)
	}
	if err != nil {
		cancel(err)
		return nil, nil, fmt.Errorf("connecting the ranks: %w", err)
	}
	for _, l := range w.links {
		if l != nil {
			go w.read(l)
			go w.beat(ctx, l)
		}
	}
	return w, ctx, nil
}

// listen waits for the other ranks.
func (w *Watch) listen(ctx context.Context, g ranks.Group) error {
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	a := address{Token: hex.EncodeToString(token), Hosts: hosts()}
	var err error
	if w.listener, err = net.Listen("tcp", ":0"); err == nil {
		a.Port = w.listener.Addr().(*net.TCPAddr).Port
	}
	b, failed := json.Marshal(a)
	if failed != nil {
		return failed
	}
	if _, failed := g.Broadcast(ctx, 0, b); failed != nil {
		return failed
	}
	if err != nil { // the others know by the port 0
		return err
	}
	w.links = make([]*link, g.Size())
	deadline := time.Now().Add(w.patience)
	for missing := g.Size() - 1; missing > 0; {
		if err := w.listener.(*net.TCPListener).SetDeadline(deadline); err != nil {
			return err
		}
		conn, err := w.listener.Accept()
		if err != nil {
			return fmt.Errorf("%d ranks have not connected to rank 0 within %v: %w", missing,
				w.patience, err)
		}
		if w.accept(conn, a.Token, deadline) {
			missing--
		} else {
			conn.Close()
		}
	}
	return nil
}

// accept takes a connection if it is that of a rank.
func (w *Watch) accept(conn net.Conn, token string, deadline time.Time) bool {
	var h hello
	if conn.SetReadDeadline(earlier(deadline, time.Now().Add(time.Second))) != nil {
		return false
	}
	line, err := readLine(conn)
	if err != nil || json.Unmarshal(line, &h) != nil || h.Token != token || h.Rank < 1 ||
		h.Rank >= len(w.links) || w.links[h.Rank] != nil {
		return false
	}
	w.links[h.Rank] = &link{rank: h.Rank, name: fmt.Sprintf("rank %d on %s", h.Rank, h.Host), conn: conn}
	return true
}

// earlier returns the earlier time.
func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// readLine reads a short line, byte by byte: what follows belongs to another reader.
func readLine(conn net.Conn) ([]byte, error) {
	var line []byte
	for b := make([]byte, 1); len(line) < 1<<10; {
		if _, err := conn.Read(b); err != nil {
			return nil, err
		}
		if b[0] == '\n' {
			return line, nil
		}
		line = append(line, b[0])
	}
	return nil, errors.New("the line is too long")
}

// connect connects to rank 0, at the first of its addresses that answers.
func (w *Watch) connect(ctx context.Context, g ranks.Group) error {
	b, err := g.Broadcast(ctx, 0, nil)
	if err != nil {
		return err
	}
	var a address
	if err := json.Unmarshal(b, &a); err != nil {
		return err
	}
	if a.Port == 0 {
		return errors.New("rank 0 cannot listen")
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	own, err := json.Marshal(hello{a.Token, host, g.Rank()})
	if err != nil {
		return err
	}
	var faults []error
	for _, h := range a.Hosts {
		at := net.JoinHostPort(h, strconv.Itoa(a.Port))
		conn, err := net.DialTimeout("tcp", at, w.patience/time.Duration(2+len(a.Hosts)))
		if err == nil {
			if _, err = conn.Write(append(own, '\n')); err == nil {
				w.links = []*link{{name: "rank 0 on " + h, conn: conn}}
				return nil
			}
			conn.Close()
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// hosts returns the addresses of this machine, that of itself last.
func hosts() []string {
	var found, loops []string
	all, err := net.InterfaceAddrs()
	if err != nil {
		return []string{"localhost"}
	}
	for _, a := range all {
		ip, ok := a.(*net.IPNet)
		switch {
		case !ok || ip.IP.IsLinkLocalUnicast():
		case ip.IP.IsLoopback():
			loops = append(loops, ip.IP.String())
		default:
			found = append(found, ip.IP.String())
		}
	}
	return append(found, loops...)
}

// beat sends heartbeats until the work is over.
func (w *Watch) beat(ctx context.Context, l *link) {
	t := time.NewTicker(w.patience / 10)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if l.send("beat") != nil {
				return // which read notices, too
			}
		}
	}
}

func (l *link) send(line string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.conn.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	_, err := l.conn.Write([]byte(line + "\n"))
	return err
}

// read reads what a rank sends until it leaves or is lost.
func (w *Watch) read(l *link) {
	lines := bufio.NewReaderSize(l.conn, 1<<13)
	for {
		// Rank 0 reports a lost rank; should it be rank 0, the other with the least number does.
		wait := w.patience + time.Duration(w.rank)*w.patience/10
		err := l.conn.SetReadDeadline(time.Now().Add(wait))
		var line []byte
		if err == nil {
			line, err = lines.ReadSlice('\n')
		}
		if !w.hear(l, strings.TrimSpace(string(line)), err) {
			return
		}
	}
}

// hear acts on a line that a rank has sent, or on why none has come, and reports whether more may
// come.
func (w *Watch) hear(l *link, line string, err error) (more bool) {
	fault, failed := strings.CutPrefix(line, "fail ")
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.lose(&LostError{l.rank, fmt.Sprintf("%s has not answered for %v", l.name, w.patience)})
	case err != nil:
		w.lose(&LostError{l.rank, l.name + " has ended"})
	case line == "end":
		w.lose(errEnded)
	case failed:
		w.lose(&LostError{l.rank, l.name + ": " + fault})
	default:
		return line != "bye"
	}
	return false
}

// errEnded is the cause on ranks that rank 0 ends.
var errEnded = errors.New("rank 0 has ended the work")

// lose ends the work of this rank, and of all others if it is rank 0.
func (w *Watch) lose(err error) {
	w.mu.Lock()
	over := w.over
	w.over = true
	w.mu.Unlock()
	if over {
		return
	}
	w.cancel(err)
	if w.rank == 0 {
		w.tell("end")
	}
}

// tell sends a line to all others.
func (w *Watch) tell(line string) {
	for _, l := range w.links {
		if l != nil {
			l.send(line) //nolint:errcheck // it may be lost
		}
	}
}

// Fail tells rank 0 that the work of this rank has failed. Rank 0 ends all others.
func (w *Watch) Fail(err error) {
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	if w.rank == 0 {
		w.tell("end")
	} else {
		w.tell("fail " + strings.Join(strings.Fields(err.Error()), " "))
	}
	w.cancel(err)
}

// Close leaves: the work of this rank is done. A rank 0 that has lost another says "end" here,
// since the goroutine that noticed may not have said it yet, and a rank that reads "bye" listens no
// more.
func (w *Watch) Close() {
	w.mu.Lock()
	lost := w.over
	w.over = true
	w.mu.Unlock()
	if lost && w.rank == 0 {
		w.tell("end")
	} else {
		w.tell("bye")
	}
	if w.listener != nil {
		w.listener.Close()
	}
	w.cancel(nil)
}
