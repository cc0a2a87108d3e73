"""What tests are built with: people who click, servers that receive, worlds to compare."""
