// Reads a list of pod specs as JSON and prints what kube-scheduler reserves for each: CPU in thousandths,
// everything else in whole numbers. Built with the modules of the Kubernetes version that the suite runs.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var specs []v1.PodSpec
	if err := json.NewDecoder(os.Stdin).Decode(&specs); err != nil {
		return err
	}
	sums := []map[string]int64{}
	for _, spec := range specs {
		sum := map[string]int64{}
		for name, quantity := range resourcehelper.PodRequests(&v1.Pod{Spec: spec}, resourcehelper.PodResourcesOptions{}) {
			if name == v1.ResourceCPU {
				sum[string(name)] = quantity.MilliValue()
			} else {
				sum[string(name)] = quantity.Value()
			}
		}
		sums = append(sums, sum)
	}
	return json.NewEncoder(os.Stdout).Encode(sums)
}
