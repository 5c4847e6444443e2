/**
 * A loaded site as one run of bytes: V8 gives it back in a fraction of the time that loading takes. What form it has is
 * not looked at, so it is for who knows that it is what this program has packed.
 */
import { deserialize, serialize } from 'node:v8'
import { FileMissingError, type FileTree } from '../base/file-tree.ts'
import { type Frontmatter, frontmatterOf } from './frontmatter.ts'
import type { LoadedSite } from './load-site.ts'
import type { FileFacts } from './read-pages.ts'

/** A larger one is read no faster than the site is loaded from its descriptions of interfaces. */
const MOST_BYTES = 100_000_000

type PlainFacts = Omit<FileFacts, 'frontmatter'> & { frontmatter: Omit<Frontmatter, 'lineOf'> | null }

interface Image extends Omit<LoadedSite, 'facts' | 'tree'> {
  facts: PlainFacts[]
  tree: Pick<FileTree, 'revision' | 'files' | 'refused'>
}

/** Null for what is too much. */
export function siteImage({ tree, facts, ...rest }: LoadedSite): Uint8Array | null {
  const { revision, files, refused } = tree
  const image: Image = {
    ...rest,
    facts: [...facts.values()].map(plainFacts),
    tree: { revision, files, refused },
  }
  const bytes = serialize(image)
  return bytes.byteLength > MOST_BYTES ? null : bytes
}

function plainFacts({ frontmatter, ...one }: FileFacts): PlainFacts {
  if (frontmatter === null) return { ...one, frontmatter }
  const { lineOf: _, ...plain } = frontmatter
  return { ...one, frontmatter: plain }
}

/** Of its files it knows the digests and no content. */
export function siteOfImage(bytes: Uint8Array): LoadedSite {
  const { facts, tree, ...rest } = deserialize(bytes) as Image
  return {
    ...rest,
    facts: new Map(
      facts.map(({ frontmatter, ...one }) => [
        one.file,
        { ...one, frontmatter: frontmatter && frontmatterOf(frontmatter) },
      ]),
    ),
    tree: {
      ...tree,
      read: async (path) => {
        throw new FileMissingError(path)
      },
      async [Symbol.asyncDispose]() {},
    },
  }
}
