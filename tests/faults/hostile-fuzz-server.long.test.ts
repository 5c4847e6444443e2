/**
 * Sends 60 hostile sources to a started server, 2,000 in a whole run. It keeps responding, no process exceeds its
 * limits, and all work ends. OCTAVO_FUZZ_SEED sets the first seed.
 */
import { test } from 'node:test'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { FUZZ_KINDS, fuzzServer } from './fuzz-server.ts'

const PER_KIND = IS_WHOLE ? 200 : 6

test(`${PER_KIND * FUZZ_KINDS} hostile sources do not stop the server`, (t) =>
  fuzzServer(t, { seed: Number(process.env.OCTAVO_FUZZ_SEED ?? 1), perKind: PER_KIND }))
