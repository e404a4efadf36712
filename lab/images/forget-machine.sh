#!/bin/sh
# Runs on the finished root file system ($1): takes out what it learned from the machine that made it, so that the same packages
# give the same bytes everywhere and no address of a mirror stays in an image.
set -eu
root=$1
rm -f "$root/etc/apt/sources.list" "$root/etc/resolv.conf" "$root/etc/hostname" "$root/etc/apt/apt.conf.d/99mmdebstrap" \
  "$root/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
rm -rf "$root/var/log/apt" "$root/var/cache/ldconfig/aux-cache"
for log in dpkg.log alternatives.log bootstrap.log fontconfig.log; do rm -f "$root/var/log/$log"; done
