/**
 * Hostile sources through a started server, sixty of them, two thousand in a whole run: it answers throughout, no process
 * outlives its bounds, and everything ends. OCTAVO_FUZZ_SEED names where they begin.
 */
import { test } from 'node:test'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { FUZZ_KINDS, fuzzServer } from './fuzz-server.ts'

const PER_KIND = IS_WHOLE ? 200 : 6

test(`${PER_KIND * FUZZ_KINDS} hostile sources do not stop the server`, (t) =>
  fuzzServer(t, { seed: Number(process.env.OCTAVO_FUZZ_SEED ?? 1), perKind: PER_KIND }))
