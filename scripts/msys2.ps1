# Puts MSYS2 into C:\msys64 where it is not there yet, with make and git: what the other scripts need of
# a shell. They install the compiler and the libraries themselves (scripts/deps.sh).
$ErrorActionPreference = 'Stop'
if (-not (Test-Path 'C:\msys64\usr\bin\bash.exe')) {
    choco install msys2 --yes --no-progress --params '/InstallDir:C:\msys64 /NoPath'
    if ($LASTEXITCODE -ne 0) { throw "msys2: choco ended with exit status $LASTEXITCODE" }
}
& 'C:\msys64\usr\bin\pacman.exe' -Sy --needed --noconfirm make git diffutils
if ($LASTEXITCODE -ne 0) { throw "msys2: pacman ended with exit status $LASTEXITCODE" }
