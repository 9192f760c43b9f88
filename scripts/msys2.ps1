# Puts MSYS2 into C:\msys64 where it is not there yet, with make and git: what the other scripts need of
# a shell. They install the compiler and the libraries themselves (scripts/deps.sh).
# The compiler for 32-bit programs belongs to another of MSYS2's environments. Without it 32-bit programs
# run unwatched, and their tests are skipped.
$ErrorActionPreference = 'Stop'
if (-not (Test-Path 'C:\msys64\usr\bin\bash.exe')) {
    choco install msys2 --yes --no-progress --params '/InstallDir:C:\msys64 /NoPath'
    if ($LASTEXITCODE -ne 0) { throw "msys2: choco ended with exit status $LASTEXITCODE" }
}
& 'C:\msys64\usr\bin\pacman.exe' -Sy --needed --noconfirm make git diffutils
if ($LASTEXITCODE -ne 0) { throw "msys2: pacman ended with exit status $LASTEXITCODE" }
if ($env:PROCESSOR_ARCHITECTURE -eq 'AMD64') {
    & 'C:\msys64\usr\bin\pacman.exe' -S --needed --noconfirm mingw-w64-i686-gcc
    if ($LASTEXITCODE -ne 0) { Write-Warning 'msys2: there is no compiler for 32-bit Windows' }
    $global:LASTEXITCODE = 0
}
