"""What adapters of one vendor share: clients, payloads, and how a wire fault becomes a `CallFailure`."""
