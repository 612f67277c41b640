//go:build !linux

package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Other kernels have no parent-death signal; a process whose parent is gone is ended by the next sweep.
func endWithParent() error { return nil }

func identityOf(pid int) (string, error) {
	command := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	command.Env = append(os.Environ(), "LC_ALL=C")
	output, err := command.Output()
	return strings.Join(strings.Fields(string(output)), " "), err
}
