/** A site version: every file of a rendered site, each naming a blob by the SHA-256 of its content. */
import type { Deployment, FeatureSet } from '../../base/api/features.ts'

export interface SiteManifest {
  /** From 2 on its archive ends with a seal; see archive-seal.ts. */
  format: 1 | 2
  octavo: string
  /** The source: a git commit, or `content:<sha256>`. */
  revision: string
  deployment: Deployment
  features: FeatureSet
  /** Pages rendered. */
  pageCount: number
  /** By path in the site (`guides/x.html`, `_octavo/site.css`), sorted by code unit. */
  files: Record<string, ManifestFile>
  /** For serving by host name; bundles hold redirect pages instead. */
  redirects: { source: string; destination: string; isPermanent: boolean }[]
  /** Where `/` leads when nothing lies there; versions of before this was kept have none. */
  start?: string | null
  /** Languages by their tags, the default one first, with where each begins; only of served sites of several. */
  languages?: { tag: string; home: string }[]
  /** Instructions of the site for its assistant; never in a bundle. */
  assistantInstructions?: string
  /** Groups of readers that pages are for; left out: every page is for everybody. */
  groups?: readonly string[]
  /** The same revision for readers who are in some of them: all, or those of these groups, sorted. */
  audiences?: readonly { groups: 'all' | readonly string[]; manifestKey: string }[]
}

export interface ManifestFile {
  sha256: string
  sizeBytes: number
  contentType: string
}

/** Key of a blob: its content as one gzip member (level 0 for types that are compressed already). */
export function blobKey(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}.gz`
}

/** Of the memory that manifests take which somebody who answers readers keeps. */
export const MANIFEST_BYTES_KEPT = 64 << 20
/** Beside the texts. */
const FILE_BYTES = 200

/** Bytes that it takes in memory, more or less. */
export function weighManifest({ files, redirects }: Pick<SiteManifest, 'files' | 'redirects'>): number {
  let bytes = 0
  for (const name in files) bytes += FILE_BYTES + name.length
  for (const { source, destination } of redirects) bytes += FILE_BYTES + source.length + destination.length
  return bytes
}
