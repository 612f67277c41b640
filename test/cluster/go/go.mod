module headstart/cluster

go 1.24
