package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// servingContainer is a container of deploy/serve.yaml.
type servingContainer struct {
	Image   string
	Args    []string
	Startup probe `yaml:"startupProbe"`
	Ready   probe `yaml:"readinessProbe"`
	Live    probe `yaml:"livenessProbe"`
}

// probe is a request for health.
type probe struct {
	Get struct{ Path, Port string } `yaml:"httpGet"`
}

// servingContainers reads the containers of deploy/serve.yaml.
func servingContainers(t *testing.T) []servingContainer {
	t.Helper()
	text, err := os.ReadFile("../../deploy/serve.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []servingContainer
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m struct {
			Spec struct {
				Containers []servingContainer
				Template   struct {
					Spec struct{ Containers []servingContainer }
				}
			}
		}
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, m.Spec.Containers...), m.Spec.Template.Spec.Containers...)
	}
}

// The commands of the manifests serve a folder of models, and their probes succeed.
func TestDeployServe(t *testing.T) {
	folder := t.TempDir()
	trainIris(t, filepath.Join(folder, "iris.coppice"), "--learner", "cart")
	docker, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	all := servingContainers(t)
	if len(all) != 2 {
		t.Fatalf("%d containers, want those of a Deployment and a ServingRuntime", len(all))
	}
	for _, c := range all {
		if !bytes.Contains(docker, []byte(" AS "+c.Image+"\n")) {
			t.Errorf("the image %s is no stage of the Dockerfile", c.Image)
		}
		if c.Args[0] != "serve" || c.Args[1] != "/mnt/models" {
			t.Fatalf("the command is %v", c.Args)
		}
		args := slices.Clone(c.Args[2:])
		for i, a := range args {
			if strings.HasPrefix(a, "0.0.0.0:") {
				args[i] = "127.0.0.1:0"
			}
		}
		s := startServer(t, folder, args...)
		base, _, _ := strings.Cut(s.url, "/v1/")
		for _, p := range []probe{c.Startup, c.Ready, c.Live} {
			if p.Get.Path == "" {
				continue // KServe has its own
			}
			if status, text := fetched(t, base+p.Get.Path); status != http.StatusOK {
				t.Errorf("%s: %d %s", p.Get.Path, status, text)
			}
		}
		for _, path := range []string{"/v2/health/ready", "/v1/models/iris", "/v2/models/iris/ready"} {
			if status, text := fetched(t, base+path); status != http.StatusOK {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
	}
}
