package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
)

// container is what a manifest runs.
type container struct {
	Name, Image   string
	Command, Args []string
	VolumeMounts  []mount `yaml:"volumeMounts"`
	Env           []struct{ Name, Value string }
	Resources     struct{ Limits map[string]string }
}

// mount is where a container has a volume.
type mount struct {
	Name      string
	MountPath string `yaml:"mountPath"`
}

// pod is a template of a manifest.
type pod struct {
	Spec struct {
		RestartPolicy string `yaml:"restartPolicy"`
		Containers    []container
		Volumes       []struct {
			Name                  string
			PersistentVolumeClaim struct {
				ClaimName string `yaml:"claimName"`
			} `yaml:"persistentVolumeClaim"`
		}
	}
}

// manifest is a Job, a CronJob or an MPIJob.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name   string
		Labels map[string]string
	}
	Spec struct {
		CompletionMode           string `yaml:"completionMode"`
		Completions, Parallelism int
		BackoffLimit             int `yaml:"backoffLimit"`
		Template                 pod
		SlotsPerWorker           int                `yaml:"slotsPerWorker"`
		RunPolicy                map[string]any     `yaml:"runPolicy"`
		MPIReplicaSpecs          map[string]replica `yaml:"mpiReplicaSpecs"`
		Schedule                 string
		ConcurrencyPolicy        string `yaml:"concurrencyPolicy"`
		JobTemplate              struct {
			Spec struct {
				BackoffLimit int `yaml:"backoffLimit"`
				Template     pod
			}
		} `yaml:"jobTemplate"`
	}
}

// replica is the pods of an MPIJob that are alike.
type replica struct {
	Replicas int
	Template pod
}

// manifests reads a file of deploy. Fields that no manifest of ours has are errors.
func manifests(t *testing.T, name string) []manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	var all []manifest
	for {
		var m manifest
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, p := range m.pods() {
			checkVolumes(t, name, &p)
		}
		all = append(all, m)
	}
}

func (m *manifest) pods() []pod {
	pods := []pod{m.Spec.Template, m.Spec.JobTemplate.Spec.Template}
	for _, r := range m.Spec.MPIReplicaSpecs {
		pods = append(pods, r.Template)
	}
	return pods
}

// checkVolumes checks that the images of a pod are stages of the Dockerfile, and its mounts
// volumes.
func checkVolumes(t *testing.T, name string, p *pod) {
	t.Helper()
	docker, err := os.ReadFile(filepath.Join("..", "..", "deploy", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Spec.Containers {
		if !bytes.Contains(docker, []byte(" AS "+c.Image+"\n")) {
			t.Errorf("%s: the Dockerfile has no stage %q", name, c.Image)
		}
		for _, m := range c.VolumeMounts {
			found := false
			for _, v := range p.Spec.Volumes {
				found = found || v.Name == m.Name && v.PersistentVolumeClaim.ClaimName != ""
			}
			if !found {
				t.Errorf("%s: container %s mounts %q, which is no volume", name, c.Name, m.Name)
			}
		}
	}
}

// clicks writes the table that the manifests train on, as CSV.
func clicks(t *testing.T) (folder, file string) {
	t.Helper()
	text := "a,b,clicked\n"
	for i := range 90 {
		text += fmt.Sprintf("%d,%d,%s\n", i*37%90, i%7, []string{"yes", "no"}[(i*37%90)/45])
	}
	folder = t.TempDir()
	file = filepath.Join(folder, "clicks.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, file
}

// The pods of the Indexed Job train shards, and the second Job merges them to the forest of one
// process.
func TestForestManifest(t *testing.T) {
	jobs := manifests(t, "forest.yaml")
	if len(jobs) != 2 || jobs[0].Spec.CompletionMode != "Indexed" {
		t.Fatalf("there are %d jobs, want an indexed one and another", len(jobs))
	}
	folder, file := clicks(t)
	run := func(m *manifest, index int) error {
		c := m.Spec.Template.Spec.Containers[0]
		script := strings.ReplaceAll(c.Args[0], "/data/clicks.parquet", file)
		cmd := exec.Command(c.Command[0], append(c.Command[1:],
			strings.ReplaceAll(script, "/data", folder))...)
		cmd.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s, index %d: %w: %s", m.Metadata.Name, index, err, out)
		}
		return nil
	}
	errs := make([]error, jobs[0].Spec.Completions)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() { errs[i] = run(&jobs[0], i) })
	}
	wait.Wait()
	if err := errors.Join(append(errs, run(&jobs[1], 0))...); err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(folder, "one.coppice")
	works(t, "train", file, "--label", "clicked", "--learner", "forest", "--set", "trees=1000", "-o",
		one)
	want, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "forest.coppice"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the merged forest is not that of one process: %v", err)
	}
}

// The launcher of the MPIJob starts as many ranks as there are slots, with flags that there are.
func TestMPIManifest(t *testing.T) {
	jobs := manifests(t, "mpijob.yaml")
	if len(jobs) != 1 || jobs[0].Kind != "MPIJob" || jobs[0].APIVersion != "kubeflow.org/v2beta1" {
		t.Fatalf("%+v", jobs)
	}
	spec := &jobs[0].Spec
	launcher, worker := spec.MPIReplicaSpecs["Launcher"], spec.MPIReplicaSpecs["Worker"]
	c := launcher.Template.Spec.Containers[0]
	words := append(c.Command, c.Args...)
	n := slices.Index(words, "-n")
	if want := fmt.Sprint(spec.SlotsPerWorker * worker.Replicas); n < 0 || words[n+1] != want {
		t.Errorf("mpirun starts other than %s ranks: %q", want, words)
	}
	checkTrain(t, words[slices.Index(words, "coppice-mpi"):])
}

// checkTrain checks the flags of a training.
func checkTrain(t *testing.T, words []string) {
	t.Helper()
	if words[1] != "train" {
		t.Fatalf("%q: want a training", words)
	}
	help := works(t, "train", "--help", "all")
	for _, w := range words[2:] {
		if strings.HasPrefix(w, "-") && !regexp.MustCompile(`(?m)^ +(-\w, )?`+w+`\b`).MatchString(help) &&
			!strings.Contains(help, " "+w+", ") {
			t.Errorf("train has no flag %s", w)
		}
	}
}

// The batch script trains the model of one process, and then resumes where there is a checkpoint.
// What mpirun would start is the command of one process.
func TestSlurmScript(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("the script is one of bash, which is not installed")
	}
	folder, file := clicks(t)
	fake := "#!/bin/sh\nshift 2\nshift\nexec coppice \"$@\" --set trees=5\n"
	if err := os.WriteFile(filepath.Join(folder, "mpirun"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "clicks.coppice")
	run := func() ([]byte, error) {
		cmd := exec.Command("bash", filepath.Join("..", "..", "deploy", "slurm.sh"))
		cmd.Env = append(os.Environ(), "TABLE="+file, "LABEL=clicked", "MODEL="+path,
			"PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		return cmd.CombinedOutput()
	}
	if out, err := run(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Rename(path, path+".checkpoint"); err != nil {
		t.Fatal(err)
	}
	if out, err := run(); err == nil || !bytes.Contains(out, []byte("it is a finished model")) {
		t.Errorf("%v: %s: want the script to resume from what is no checkpoint", err, out)
	}
}
