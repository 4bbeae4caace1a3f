package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// serving is the variable by which the command runs what it is asked to, as a server.
const serving = "COPPICE_TEST_SERVE"

// A server is a process that runs the commands of a script one after the other: a process for each
// takes longer to start than most of them to run. When the script ends another one may use it.
type server struct {
	process  *exec.Cmd
	requests *gob.Encoder
	answers  *gob.Decoder
	input    io.Closer
}

// servers are those that no script uses at the moment.
type servers struct {
	mutex sync.Mutex
	idle  []*server
}

// take returns a server that no other script uses.
func (all *servers) take() (*server, error) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if n := len(all.idle); n > 0 {
		s := all.idle[n-1]
		all.idle = all.idle[:n-1]
		return s, nil
	}
	return start()
}

// leave lets other scripts have a server.
func (all *servers) leave(s *server) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.idle = append(all.idle, s)
}

// end ends the servers, of which no script uses any more.
func (all *servers) end() error {
	var errs []error
	for _, s := range all.idle {
		errs = append(errs, s.input.Close(), s.process.Wait())
	}
	return errors.Join(errs...)
}

// request is a command line in a folder, with the variables of its environment.
type request struct {
	Folder    string
	Args, Env []string
}

// answer is what a command prints, and its status.
type answer struct {
	Out, Err string
	Status   int
}

// answerRequests answers requests until standard input ends.
func answerRequests() {
	requests, answers := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var r request
		if requests.Decode(&r) != nil {
			return
		}
		var out, errs bytes.Buffer
		c := &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs, Progress: &cli.Progress{}}
		err := errors.Join(use(r.Env), os.Chdir(r.Folder))
		if err == nil {
			err = cli.Run(context.Background(), c, commands(), r.Args)
		}
		if answers.Encode(answer{Status: c.Finish(err), Out: out.String(), Err: errs.String()}) != nil {
			return
		}
	}
}

// use gives this process the environment of a script.
func use(env []string) error {
	os.Clearenv()
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// start starts a server.
func start() (*server, error) {
	s := &server{process: exec.Command("coppice")}
	s.process.Env = append(os.Environ(), serving+"=1")
	s.process.Stderr = os.Stderr
	in, err := s.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.input, s.requests, s.answers = in, gob.NewEncoder(in), gob.NewDecoder(out)
	return s, s.process.Start()
}

// run runs a command line in a folder.
func (s *server) run(r request) (a answer, err error) {
	if err := s.requests.Encode(r); err != nil {
		return a, err
	}
	err = s.answers.Decode(&a)
	return a, err
}

// script is a script that runs, with the server of its commands, which is there from the first on.
type script struct {
	servers *servers
	server  *server
	env     []string
}

// run runs a command line of the script.
func (s *script) run(folder string, args []string) (a answer, err error) {
	if s.server == nil {
		if s.server, err = s.servers.take(); err != nil {
			return a, err
		}
	}
	a, err = s.server.run(request{folder, args, s.env})
	if err != nil { // it ended, or was in the middle of an answer
		err = errors.Join(err, s.server.process.Process.Kill(), s.server.process.Wait())
		s.server = nil
	}
	return a, err
}

// end leaves the server to others.
func (s *script) end() {
	if s.server != nil {
		s.servers.leave(s.server)
	}
}

// ofScript is the key of a script.
type ofScript struct{}

// runLine runs a command line of a script: by its server, or as a process of its own if it reads
// standard input, or is another program. It returns what stands on standard error, and the status.
func runLine(ts *testscript.TestScript, name string, args []string) (errs string, status int) {
	if name == "coppice" && !readsInput(args) {
		a, err := ts.Value(ofScript{}).(*script).run(ts.MkAbs("."), args)
		ts.Check(err)
		_, err = io.WriteString(ts.Stdout(), a.Out)
		ts.Check(err)
		_, err = io.WriteString(ts.Stderr(), a.Err)
		ts.Check(err)
		return a.Err, a.Status
	}
	err := ts.Exec(name, args...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	return ts.ReadFile("stderr"), status
}

// readsInput reports whether an operand or the value of a flag is standard input.
func readsInput(args []string) bool {
	for _, a := range args {
		if a == "-" || strings.HasSuffix(a, "=-") {
			return true
		}
	}
	return false
}

// runCommand runs the command, which must succeed, or fail behind an exclamation mark:
//
//	coppice train t.csv --label y
func runCommand(ts *testscript.TestScript, neg bool, args []string) {
	if _, status := runLine(ts, "coppice", args); (status != 0) != neg {
		ts.Fatalf("exit status %d", status)
	}
}
