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

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// serving is the variable by which the command runs what it is asked to, as a server.
const serving = "COPPICE_TEST_SERVE"

// A server is a process that runs the commands of a script one after the other: a process for each
// takes longer to start than most of them to run. It starts with the first command.
type server struct {
	env      []string
	process  *exec.Cmd
	requests *gob.Encoder
	answers  *gob.Decoder
	input    io.Closer
}

// request is a command line in a folder.
type request struct {
	Folder string
	Args   []string
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
		err := os.Chdir(r.Folder)
		if err == nil {
			err = cli.Run(context.Background(), c, commands(), r.Args)
		}
		if answers.Encode(answer{Status: c.Finish(err), Out: out.String(), Err: errs.String()}) != nil {
			return
		}
	}
}

// start starts the process.
func (s *server) start() error {
	s.process = exec.Command("coppice")
	s.process.Env = append(s.env, serving+"=1")
	s.process.Stderr = os.Stderr
	in, err := s.process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	s.input, s.requests, s.answers = in, gob.NewEncoder(in), gob.NewDecoder(out)
	return s.process.Start()
}

// run runs a command line in a folder.
func (s *server) run(folder string, args []string) (a answer, err error) {
	if s.process == nil {
		if err := s.start(); err != nil {
			return a, err
		}
	}
	if err := s.requests.Encode(request{folder, args}); err != nil {
		return a, err
	}
	err = s.answers.Decode(&a)
	return a, err
}

// end ends the process.
func (s *server) end() error {
	if s.process == nil || s.process.Process == nil {
		return nil
	}
	return errors.Join(s.input.Close(), s.process.Wait())
}

// ofScript is the key of a script's server.
type ofScript struct{}

// runLine runs a command line of a script: by its server, or as a process of its own if it reads
// standard input, or is another program. It returns what stands on standard error, and the status.
func runLine(ts *testscript.TestScript, name string, args []string) (errs string, status int) {
	if name == "coppice" && !readsInput(args) {
		a, err := ts.Value(ofScript{}).(*server).run(ts.MkAbs("."), args)
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
