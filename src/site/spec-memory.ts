/** API descriptions that were read for an earlier state of the files, for as long as no part of them has changed. */
import { type ApiSpec, listOperations } from './api-spec.ts'
import { readApiDocument } from './spec-document.ts'
import type { SpecFault } from './spec-fault.ts'
import type { SpecSources } from './spec-sources.ts'

export interface SpecMemory {
  /** `name` is a path below the docs folder or an address. */
  read(sources: SpecSources, name: string): Promise<ApiSpec | SpecFault>
  /** Every file and address that something was read of, or looked for. */
  parts(): ReadonlySet<string>
  /** Another one, which knows what this one has read to the end by now. */
  fork(): SpecMemory
}

interface Kept {
  /** Every part that was asked for, with its stamp at that time. */
  parts: Map<string, string | null>
  /** Until then parts are missing, and it may yet be refused. */
  isRead: boolean
  spec: Promise<ApiSpec | SpecFault>
}

export function createSpecMemory(): SpecMemory {
  return memoryFrom(new Map())
}

function memoryFrom(kept: Map<string, Kept>): SpecMemory {
  return {
    read(sources, name) {
      const known = kept.get(name)
      if (known && [...known.parts].every(([part, stamp]) => sources.stampOf(part) === stamp))
        return known.spec
      const parts: Kept['parts'] = new Map()
      const recording: SpecSources = {
        ...sources,
        read(part) {
          parts.set(part, sources.stampOf(part))
          return sources.read(part)
        },
      }
      const spec = readApiDocument(recording, name).then((document) =>
        'root' in document ? listOperations(name, document) : document,
      )
      const one: Kept = { parts, isRead: false, spec }
      kept.set(name, one)
      spec.then(
        () => {
          one.isRead = true
        },
        () => kept.delete(name),
      )
      return spec
    },
    parts: () => new Set([...kept.values()].flatMap(({ parts }) => [...parts.keys()])),
    fork: () => memoryFrom(new Map([...kept].filter(([, { isRead }]) => isRead))),
  }
}
