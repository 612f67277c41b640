// leash becomes another program after two promises: the process is on record before that program runs, and,
// with -with-parent, it does not outlive the process that started it, whatever ends that one.
//
//	leash [-with-parent PID] [-folder DIR -part NAME] PROGRAM [ARGUMENT...]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

type record struct {
	Part     string `json:"part"`
	Pid      int    `json:"pid"`
	Identity string `json:"identity"`
}

func main() {
	// The kernel keeps the parent-death signal per thread, so the thread that asks for it must be the one that execs.
	runtime.LockOSThread()
	parent := flag.Int("with-parent", 0, "end when the process with this id ends, which must be the parent")
	folder := flag.String("folder", "", "existing folder for the record")
	part := flag.String("part", "", "name of the part, for the record")
	flag.Parse()
	if err := become(*parent, *folder, *part, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "leash:", err)
		os.Exit(126)
	}
}

func become(parent int, folder, part string, command []string) error {
	if len(command) == 0 {
		return fmt.Errorf("a program is required")
	}
	if parent != 0 {
		if err := endWithParent(); err != nil {
			return err
		}
		// The parent may have ended before the kernel was asked.
		if os.Getppid() != parent {
			return fmt.Errorf("parent %d is gone", parent)
		}
	}
	if folder != "" {
		if err := write(folder, part); err != nil {
			return err
		}
	}
	return syscall.Exec(command[0], command, os.Environ())
}

// write fails if the folder is gone, which is how a run that was taken down refuses new processes.
func write(folder, part string) error {
	pid := os.Getpid()
	identity, err := identityOf(pid)
	if err != nil {
		return err
	}
	content, err := json.Marshal(record{part, pid, identity})
	if err != nil {
		return err
	}
	path := filepath.Join(folder, fmt.Sprintf("%s.%d.json", part, pid))
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
