"""What tests are told of the toy game (`tests/support/toy/`)."""
