/** Labels for the states, deployments and features of exports. */

import {
  type BuiltFeature,
  type ExportDeployment,
  FEATURE_MATRIX,
  type Feature,
} from '../../../../../src/base/api/features.ts'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { t } from '../../words/words.ts'
import type { WorkState } from '../background-jobs/work-list.tsx'

export function describeExportState({ status, errorCode }: ExportWork['job']): WorkState {
  if (status === 'queued') return { label: t('Queued'), tone: 'neutral', isLive: true }
  if (status === 'running') return { label: t('Running'), tone: 'accent', isLive: true }
  if (status === 'completed') return { label: t('Ready'), tone: 'success' }
  return errorCode === 'cancelled'
    ? { label: t('Cancelled'), tone: 'neutral' }
    : { label: t('Failed'), tone: 'danger' }
}

export function isExportFinished({ status }: Pick<ExportWork['job'], 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

export const DEPLOYMENT_LABELS: Record<ExportDeployment, { label: string; about: string }> = {
  'client-hosted': {
    label: t('Client-hosted'),
    about: t('On your own host. Readers can reach this server from there.'),
  },
  'air-gapped': {
    label: t('Air-gapped'),
    about: t('On an isolated network. Nothing in the bundle contacts a server.'),
  },
}

export const FEATURE_LABELS: Record<BuiltFeature, { label: string; about: string }> = {
  search: {
    label: t('Search', { context: 'feature' }),
    about: t('Readers search the documentation without a server.'),
  },
  assistant: {
    label: t('AI assistant'),
    about: t(
      'Readers ask questions; each statement in an answer names its source. Shown where the server has a model for it.',
    ),
  },
  analytics: {
    label: t('Web analytics'),
    about: t('Counts views, searches and where readers come from, without cookies.'),
  },
  playground: {
    label: t('API playground'),
    about: t('Readers send requests from API operation pages, directly from their browsers.'),
  },
  export: { label: t('Static export bundle'), about: t('The whole site in one archive.') },
}

export const NOT_POSSIBLE = t('Not part of an air-gapped bundle.')

/** Explains why a feature is fixed; null when it can be chosen. */
export function explainFeatureState(feature: Feature, deployment: ExportDeployment): string | null {
  const availability = FEATURE_MATRIX[feature][deployment]
  if (availability === 'configurable') return null
  return availability === 'yes' ? t('Always included.') : NOT_POSSIBLE
}

/** Returns the label, such as `1.0`, or the host name if there is none. */
export function exportName({ version, domain }: ExportWork['job']): string {
  return version ?? domain
}
