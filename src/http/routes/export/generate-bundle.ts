/** POST /v1/static-export/jobs/{jobId}/bundle: a fresh link to the archive. */
import { type BundleLinkDeps, createBundleLink } from '../../../export/bundle-link.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export type GenerateBundleDeps = BundleLinkDeps

export async function generateBundle(
  deps: GenerateBundleDeps,
  { tx, caller, params }: CallOf<'generateBundle'>,
): AnswerOf<'generateBundle'> {
  return { body: await createBundleLink(deps, tx, caller.organizationId, params.jobId) }
}
