/** Returns the file name of a downloaded archive: `docs.example.com-2.4-2026-11-30.tar.gz`. */
export function bundleFilename({
  domain,
  version,
  createdAt,
}: {
  domain: string
  version: string | null
  createdAt: string
}): string {
  const label = (version ?? '').replace(/[^\p{L}\p{N}._]+/gu, '-').slice(0, 60)
  return `${[domain, label, createdAt.slice(0, 10)].filter((part) => part.replace(/[-.]/g, '') !== '').join('-')}.tar.gz`
}
