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
import type { Draft } from '../../forms/field-spec.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Badge } from '../../ui/badge.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useGo } from '../../ui/link.tsx'
import { Switch } from '../../ui/switch.tsx'
import { rich, t } from '../../words/words.ts'
import { DEPLOYMENT_LABELS, explainFeatureState, FEATURE_LABELS } from './export-labels.ts'

export function StartExport({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const served = project.domainStates.filter(({ state }) => state === 'served').map(({ domain }) => domain)
  // If no domain is served, the server's error explains how to add a domain.
  const domains = served.length > 0 ? served : project.domains
  const [domain = ''] = domains
  const [chosen, setChosen] = useState<FeatureChoices>(project.features)
  const start = useStart(project.id)
  return (
    <FieldsDialog<StartExportBody>
      title={t('New export')}
      about={<About domain={domains.length > 1 ? null : domain} />}
      width="lg"
      action={t('Start the export')}
      icon="package"
      operation="startExport"
      initial={{ domain, deployment: project.defaultDeployment }}
      fields={(draft) => [
        {
          ...{ name: 'domain', kind: 'select', label: t('Host name'), isHidden: domains.length < 2 },
          choices: domains.map((name) => ({ value: name, label: name })),
        },
        {
          ...{ name: 'deployment', kind: 'radio', label: t('Where it will be hosted') },
          choices: Object.entries(DEPLOYMENT_LABELS).map(([value, labels]) => ({ value, ...labels })),
        },
        <FieldSet key="features" label={t('Included features')}>
          <FeatureSwitches
            deployment={getDraftDeployment(draft, project)}
            features={resolveFeatures(getDraftDeployment(draft, project), chosen)}
            onChange={(change) => setChosen({ ...chosen, ...change })}
          />
        </FieldSet>,
        {
          ...{ name: 'paths', kind: 'area', label: t('Only these pages'), isMono: true, placeholder: '' },
          help: t('One path per line, such as /quickstart. Leave it empty for all pages.'),
          input: { rows: 2 },
        },
        {
          ...{ name: 'version', label: t('Label', { context: 'name' }), placeholder: '' },
          help: t('A name of your choice, such as 2.4 or spring.'),
        },
      ]}
      onSubmit={({ paths = [], ...body }) =>
        start({
          ...body,
          domain: body.domain ?? domain,
          features: chosenFeatures(body.deployment ?? project.defaultDeployment, chosen),
          ...(paths !== null && paths.length > 0 && { paths }),
        })
      }
      onClose={onClose}
    />
  )
}

function getDraftDeployment(draft: Draft, { defaultDeployment }: ProjectDetail): ExportDeployment {
  return (draft.deployment ?? defaultDeployment) as ExportDeployment
}

/** `domain` is null when there are several to choose from. */
function About({ domain }: { domain: string | null }) {
  if (domain === null) return <>{t('For one of the host names of the project.')}</>
  return (
    <>
      {rich('For {domain}, from the current source.', {
        domain: <span class="font-mono">{domain}</span>,
      })}
    </>
  )
}

/** Starts the export and opens its page. Repeating the same request does not start another export. */
function useStart(projectId: string): (body: StartExportBody) => Promise<void> {
  const go = useGo()
  const key = useRef(crypto.randomUUID())
  return async (body) => {
    try {
      const job = await octavo.startExport(body, { idempotencyKey: key.current })
      void queryClient.invalidateQueries({ queryKey: ['listExportWork'] })
      void go(`/p/${projectId}/exports/${job.jobId}`)
    } catch (error) {
      // A corrected request is a different request, so it needs another key.
      key.current = crypto.randomUUID()
      throw error
    }
  }
}

function chosenFeatures(deployment: ExportDeployment, chosen: FeatureChoices): StartExportBody['features'] {
  const features = resolveFeatures(deployment, chosen)
  const choices = configurableFeatures(deployment)
  const names = BUILT_FEATURES.filter((name) => choices.includes(name))
  return {
    ...Object.fromEntries(names.map((name) => [name, features[name]])),
    ...(isBundled('search', deployment) ? { search: features.search && BUNDLED } : {}),
  }
}

interface FeatureSwitchesProps {
  deployment: ExportDeployment
  features: FeatureSet
  onChange: (change: FeatureChoices) => void
  isOff?: boolean
}

function FeatureSwitches({ deployment, features, onChange, isOff = false }: FeatureSwitchesProps) {
  const choices = configurableFeatures(deployment)
  return (
    <div class="divide-y divide-line rounded-md border border-line px-3">
      {BUILT_FEATURES.map((feature) => {
        const { label, about } = FEATURE_LABELS[feature]
        const reason = explainFeatureState(feature, deployment)
        if (choices.includes(feature) || isBundled(feature, deployment)) {
          return (
            <Switch
              key={feature}
              label={label}
              about={about}
              isOn={features[feature]}
              isOff={isOff}
              onChange={(isOn) =>
                onChange({ [feature]: isOn && isBundled(feature, deployment) ? BUNDLED : isOn })
              }
            />
          )
        }
        return (
          <div key={feature} class="flex min-h-9 items-start gap-3 py-2">
            <span class="flex h-5 w-[30px] items-center justify-center">
              <Icon
                name={features[feature] ? 'check' : 'x'}
                size={14}
                class={features[feature] ? 'text-success' : 'text-faint'}
              />
            </span>
            <div class="min-w-0 flex-1">
              <p class={features[feature] ? '' : 'text-soft'}>{label}</p>
              <p class="text-13 text-soft">{reason}</p>
            </div>
            {!features[feature] && <Badge>{t('not possible')}</Badge>}
          </div>
        )
      })}
    </div>
  )
}
