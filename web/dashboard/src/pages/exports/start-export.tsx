/** Form for a new export: host name, deployment, features and pages. */

import { useRef, useState } from 'preact/hooks'
import {
  BUILT_FEATURES,
  BUNDLED,
  configurableFeatures,
  type ExportDeployment,
  type FeatureChoices,
  type FeatureSet,
  isBundled,
  resolveFeatures,
} from '../../../../../src/base/api/features.ts'
import type { StartExportBody } from '../../../../../src/features/export/operations/static-export.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { Field, FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/input.tsx'
import { useGo } from '../../ui/link.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { rich, t } from '../../words/words.ts'
import { DEPLOYMENT_LABELS } from './export-labels.ts'
import { FeatureSwitches } from './feature-switches.tsx'

const FIELDS = ['domain', 'deployment', 'features', 'paths', 'version'] as const

export function StartExport({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const served = project.domainStates.filter(({ state }) => state === 'served').map(({ domain }) => domain)
  // If no domain is served, the server responds with what is missing.
  const domains = served.length > 0 ? served : project.domains
  const [domain, setDomain] = useState(domains[0] ?? '')
  const [deployment, setDeployment] = useState<ExportDeployment>(project.defaultDeployment)
  const [chosen, setChosen] = useState<FeatureChoices>(project.features)
  const [paths, setPaths] = useState('')
  const [version, setVersion] = useState('')
  const start = useStart(project.id)
  const features = resolveFeatures(deployment, chosen)
  return (
    <FormDialog
      title={t('New export')}
      about={<About domain={domains.length > 1 ? null : domain} />}
      width="lg"
      action={t('Start the export')}
      icon="package"
      fields={FIELDS}
      onSubmit={() => start(toExportBody({ domain, deployment, features, paths, version }))}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {(domains.length > 1 || faults.domain !== undefined) && (
            <DomainField domains={domains} domain={domain} error={faults.domain} onChange={setDomain} />
          )}
          <DeploymentChoice deployment={deployment} onChange={setDeployment} />
          <FieldSet label={t('What it can do')} error={faults.features}>
            <FeatureSwitches
              deployment={deployment}
              features={features}
              onChange={(change) => setChosen({ ...chosen, ...change })}
            />
          </FieldSet>
          <PathsField paths={paths} error={faults.paths} onText={setPaths} />
          <TextField
            label={t('Label', { context: 'name' })}
            isOptional
            hint={t('A name of your own, such as 2.4 or spring.')}
            error={faults.version}
            maxLength={200}
            value={version}
            onText={setVersion}
          />
        </>
      )}
    </FormDialog>
  )
}

/** `domain` is null when there are several to choose from. */
function About({ domain }: { domain: string | null }) {
  if (domain === null) return <>{t('For one of the host names of the project.')}</>
  return (
    <>
      {rich('For {domain}, rendered as the source is now.', {
        domain: <span class="font-mono">{domain}</span>,
      })}
    </>
  )
}

function DomainField({
  domains,
  domain,
  error,
  onChange,
}: {
  domains: readonly string[]
  domain: string
  error: string | undefined
  onChange: (domain: string) => void
}) {
  return (
    <Field label={t('Host name')} error={error}>
      {(field) => (
        <Select
          {...field}
          class="w-full"
          value={domain}
          options={domains.map((name) => ({ value: name, label: name }))}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

function DeploymentChoice({
  deployment,
  onChange,
}: {
  deployment: ExportDeployment
  onChange: (deployment: ExportDeployment) => void
}) {
  return (
    <FieldSet label={t('Where it will live')}>
      <RadioGroup
        label={t('Where it will live')}
        value={deployment}
        onChange={onChange}
        choices={(Object.keys(DEPLOYMENT_LABELS) as ExportDeployment[]).map((value) => ({
          value,
          ...DEPLOYMENT_LABELS[value],
        }))}
      />
    </FieldSet>
  )
}

function PathsField({
  paths,
  error,
  onText,
}: {
  paths: string
  error: string | undefined
  onText: (paths: string) => void
}) {
  return (
    <TextareaField
      label={t('Only these pages')}
      isOptional
      hint={t('One path per line, such as /quickstart. Leave it empty for all pages.')}
      error={error}
      isMono
      rows={2}
      spellcheck={false}
      value={paths}
      onText={onText}
    />
  )
}

/** Starts the export, once even if the same request is repeated, and opens its page. */
function useStart(projectId: string): (body: StartExportBody) => Promise<void> {
  const go = useGo()
  const key = useRef(crypto.randomUUID())
  return async (body) => {
    try {
      const job = await octavo.startExport(body, { idempotencyKey: key.current })
      void queryClient.invalidateQueries({ queryKey: ['listExportWork'] })
      void go(`/p/${projectId}/exports/${job.jobId}`)
    } catch (error) {
      // After a correction, the request is a different one.
      key.current = crypto.randomUUID()
      throw error
    }
  }
}

interface Wanted extends Pick<StartExportBody, 'domain' | 'deployment'> {
  deployment: ExportDeployment
  features: FeatureSet
  /** One path per line. */
  paths: string
  version: string
}

function toExportBody({ domain, deployment, features, paths, version }: Wanted): StartExportBody {
  const choices = configurableFeatures(deployment)
  const requestedPaths = paths.split(/\s*\n\s*/).filter((path) => path !== '')
  return {
    domain,
    deployment,
    features: {
      ...Object.fromEntries(
        BUILT_FEATURES.filter((name) => choices.includes(name)).map((name) => [name, features[name]]),
      ),
      ...(isBundled('search', deployment) ? { search: features.search && BUNDLED } : {}),
    },
    ...(requestedPaths.length === 0 ? {} : { paths: requestedPaths }),
    ...(version.trim() === '' ? {} : { version: version.trim() }),
  }
}
