package serve

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// firstSocket is the number of the first file that systemd hands to a process (sd_listen_fds).
const firstSocket = 3

// sockets are the listeners that systemd opened for this process, by the flag that they replace:
// that called admin is for --admin, and the first other one for --listen.
func sockets() (map[string]net.Listener, error) {
	n, err := strconv.Atoi(os.Getenv("LISTEN_FDS"))
	if err != nil || n < 1 || os.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	names := strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
	found := map[string]net.Listener{}
	for i := range n {
		flag := "listen"
		if i < len(names) && names[i] == "admin" {
			flag = "admin"
		}
		f := os.NewFile(uintptr(firstSocket+i), flag)
		l, err := net.FileListener(f)
		f.Close() // the listener has a copy
		if err != nil {
			return nil, fmt.Errorf("file %d of systemd (LISTEN_FDS) is no socket to listen at: %w",
				firstSocket+i, err)
		}
		if found[flag] != nil {
			return nil, fmt.Errorf("systemd hands over two sockets for --%s: name one of them admin, "+
				"by FileDescriptorName", flag)
		}
		found[flag] = l
	}
	return found, nil
}

// notify tells systemd what the server does, such as READY=1 (sd_notify). Without systemd, and
// where it does not listen, nothing happens.
func notify(state string) {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return
	}
	if c, err := net.Dial("unixgram", address); err == nil {
		_, _ = c.Write([]byte(state))
		c.Close()
	}
}

// unixPrefix begins the address of a socket in the file system.
const unixPrefix = "unix:"

// listenUnix listens at a path. The socket of a server that has ended takes no place.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if c, err := net.Dial("unix", path); err != nil {
			_ = os.Remove(path) // else Listen says why
		} else {
			c.Close()
		}
	}
	return net.Listen("unix", path)
}
