package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

func endWithParent() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0); errno != 0 {
		return fmt.Errorf("parent-death signal: %w", errno)
	}
	return nil
}

// identityOf names a process for good: its id may be reused, its start time since this boot may not.
func identityOf(pid int) (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The second field is the program's name in parentheses and may itself hold spaces and parentheses.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const startTime = 22 - 3
	if len(fields) <= startTime {
		return "", fmt.Errorf("unexpected stat of process %d", pid)
	}
	return strings.TrimSpace(string(boot)) + ":" + fields[startTime], nil
}
