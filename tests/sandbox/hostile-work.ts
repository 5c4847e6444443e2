/** Sandboxed work that does what hostile content would cause, for the sandbox tests. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { OpenInside } from '../../src/sandbox/inside.ts'
import { readUsage } from '../../src/sandbox/usage.ts'

export const open: OpenInside = ({ tree, objects, report, log }) => {
  const kept: unknown[] = []
  return {
    read: async (path: string) => Buffer.from(await tree.read(path)).toString(),
    /** Writes an object to the store and reads it back. */
    store: async ({ key, size }: { key: string; size: number }) => {
      await objects.put(key, new Uint8Array(size).fill(7))
      const bytes = await objects.read(key)
      return { size: bytes.length, isSame: bytes.every((byte) => byte === 7), head: await objects.head(key) }
    },
    burn: async (path: string) => {
      await tree.read(path)
      for (;;);
    },
    /** Keeps the CPU busy, but reports progress. */
    toil: async (milliseconds: number) => {
      const end = performance.now() + milliseconds
      while (performance.now() < end) {
        const pause = performance.now() + 50
        while (performance.now() < pause);
        report({ left: end - performance.now() })
        await new Promise((resolve) => setImmediate(resolve))
      }
      return 'done'
    },
    grow: async (path: string) => {
      await tree.read(path)
      for (;;) kept.push(new Array(100_000).fill({}))
    },
    growOutside: async () => {
      for (;;) {
        kept.push(Buffer.alloc(10_000_000, 1))
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    usage: (pid: number) => readUsage(pid),
    watch: async () => {
      for (;;) {
        await readUsage(process.pid)
        const pause = performance.now() + 50
        while (performance.now() < pause);
      }
    },
    pid: async () => process.pid,
    wait: () => new Promise(() => {}),
    crash: async () => process.abort(),
    flood: async () => {
      for (;;) {
        log.info({ text: 'x'.repeat(1000) }, 'flood')
        void tree.read('a.mdx').catch(() => {})
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** Starts a process that would outlive the sandbox. */
    beget: async () => spawn('/bin/sleep', ['600'], { stdio: 'ignore' }).pid,
    reach: async (place: { secret: string; write: string; port: number }) => {
      const attempts: Record<string, () => unknown> = {
        environment: () =>
          Object.keys(process.env).some((name) => /OCTAVO|PATH|HOME/.test(name)) ? 'open' : null,
        read: () => readFileSync(place.secret),
        write: () => writeFileSync(place.write, 'x'),
        connect: () =>
          new Promise((resolve, reject) => {
            connect(place.port, '127.0.0.1').once('connect', resolve).once('error', reject)
          }),
        otherKeys: () => objects.read('exports/se_1/bundle.tar.gz'),
        folders: () => objects.put('blobs/../exports/x', new Uint8Array(1)),
      }
      const open: string[] = []
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          if ((await attempt()) !== null) open.push(name)
        } catch {
          // Refused, as expected.
        }
      }
      return open
    },
  }
}
