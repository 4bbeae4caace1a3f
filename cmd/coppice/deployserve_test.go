package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
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

// The dashboard shows metrics that servers have.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../deploy/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatal("deploy/grafana.json is no JSON")
	}
	source := ""
	for _, name := range []string{"metrics.go", "drift.go"} {
		b, err := os.ReadFile(filepath.Join("../../serve/prometheus", name))
		if err != nil {
			t.Fatal(err)
		}
		source += string(b)
	}
	used := map[string]bool{}
	for _, name := range regexp.MustCompile(`coppice_\w+`).FindAllString(string(text), -1) {
		if used[name] = true; !strings.Contains(source, `"`+regexp.MustCompile(`_(bucket|count|sum)$`).ReplaceAllString(name, "")+`"`) {
			t.Errorf("the dashboard shows %s, which no server has", name)
		}
	}
	for _, name := range regexp.MustCompile(`"(coppice_\w+)"`).FindAllStringSubmatch(source, -1) {
		shown := used[name[1]] || used[name[1]+"_bucket"] || used[name[1]+"_count"]
		if !shown && name[1] != "coppice_drift_rows" {
			t.Errorf("the dashboard does not show %s", name[1])
		}
	}
}

// The alerts are on metrics that the dashboard shows, so servers have them.
func TestAlerts(t *testing.T) {
	text, err := os.ReadFile("../../deploy/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &rules); err != nil {
		t.Fatal(err)
	}
	shown, err := os.ReadFile("../../deploy/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range rules.Groups[0].Rules {
		for _, name := range regexp.MustCompile(`coppice_\w+`).FindAllString(r.Expr, -1) {
			if n++; !bytes.Contains(shown, []byte(strings.TrimSuffix(name, "_count"))) {
				t.Errorf("the alert %s is on %s, which the dashboard does not show", r.Alert, name)
			}
		}
	}
	if n < 6 {
		t.Errorf("alerts name %d metrics", n)
	}
}

// The unit of systemd and the compose file start servers, by flags that there are.
func TestDeployedServers(t *testing.T) {
	unit, err := os.ReadFile("../../deploy/coppice-serve.service")
	if err != nil {
		t.Fatal(err)
	}
	compose, err := os.ReadFile("../../deploy/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var services struct {
		Services struct {
			Serve struct{ Command []string }
		}
	}
	if err := yaml.Unmarshal(compose, &services); err != nil {
		t.Fatal(err)
	}
	_, line, found := strings.Cut(string(unit), "ExecStart=/usr/local/bin/coppice ")
	line, _, ended := strings.Cut(line, "\n")
	if !found || !ended || !bytes.Contains(unit, []byte("Type=notify\n")) {
		t.Fatal("the unit starts no server")
	}
	for name, args := range map[string][]string{"systemd": strings.Fields(line),
		"compose": services.Services.Serve.Command} {
		folder := t.TempDir()
		trainIris(t, filepath.Join(folder, "iris.coppice"), "--learner", "cart")
		if len(args) < 2 || args[0] != "serve" {
			t.Fatalf("%s: %q", name, args)
		}
		args = slices.Clone(args[2:])
		for i, a := range args {
			switch {
			case strings.HasPrefix(a, "0.0.0.0:") || strings.HasPrefix(a, "localhost:"):
				args[i] = "127.0.0.1:0"
			case a == "/var/log/coppice":
				args[i] = t.TempDir()
			}
		}
		s := startServer(t, folder, args...)
		base, _, _ := strings.Cut(s.url, "/v1/")
		if status, text := fetched(t, base+"/readyz"); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, text)
		}
		if _, text := fetched(t, s.admin+"/metrics"); !strings.Contains(text, "coppice_log_rows_total 0") {
			t.Errorf("%s: no metrics of a log in %s", name, text)
		}
	}
}
