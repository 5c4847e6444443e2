/** Sixty hostile sources through a started server; hostile-fuzz.long.test.ts has many more of them, and says what for. */
import { test } from 'node:test'
import { fuzzServer } from './fuzz-server.ts'

test('sixty hostile sources stop nothing', (t) =>
  fuzzServer(t, { seed: Number(process.env.OCTAVO_FUZZ_SEED ?? 1), perKind: 6 }))
