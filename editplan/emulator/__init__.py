"""A loopback server in the providers' wire formats, answered by the embedded models, with faults on request."""
