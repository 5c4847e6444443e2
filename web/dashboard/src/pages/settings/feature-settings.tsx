import {
  BUILT_FEATURES,
  BUNDLED,
  type BuiltFeature,
  type Deployment,
  type ExportDeployment,
  FEATURE_MATRIX,
  type Feature,
  isBundled,
} from '../../../../../src/base/api/features.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import type { FieldSpec, Value } from '../../forms/field-spec.ts'
import { Icon } from '../../ui/icon.tsx'
import { Switch } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { DEPLOYMENT_LABELS, FEATURE_LABELS, NOT_POSSIBLE } from '../exports/export-labels.ts'
import { ProjectForm } from './project-form.tsx'

const isChoosable = (feature: BuiltFeature) => feature !== 'export'

const COLUMNS: { name: Deployment; label: string }[] = [
  { name: 'cloud', label: t('Hosted here') },
  { name: 'client-hosted', label: t('Client-hosted') },
  { name: 'air-gapped', label: t('Air-gapped') },
]

export function FeatureSettings({ project }: { project: ProjectDetail }) {
  return (
    <ProjectForm
      project={project}
      fields={() => [
        {
          name: 'defaultDeployment',
          kind: 'radio',
          label: t('Where exports are hosted'),
          help: t('The default for new exports.'),
          choices: (Object.keys(DEPLOYMENT_LABELS) as ExportDeployment[]).map((value) => ({
            value,
            ...DEPLOYMENT_LABELS[value],
          })),
        },
        {
          group: t('Features'),
          help: t(
            'Each switch is a default, which an export can override. A change takes effect with the next export.',
          ),
          isTable: true,
          fields: [<Head key="head" />, ...BUILT_FEATURES.map(featureField)],
        },
      ]}
    />
  )
}

const GRID_CLASS =
  'grid grid-cols-[minmax(6rem,1fr)_repeat(3,minmax(4.5rem,7rem))] items-center border-line px-3 text-13'

function Head() {
  return (
    <div class={`${GRID_CLASS} border-b py-2 text-12 text-soft`} role="row">
      <span role="columnheader">{t('Feature')}</span>
      {COLUMNS.map(({ name, label }) => (
        <span key={name} class="text-center text-balance" role="columnheader">
          {label}
        </span>
      ))}
    </div>
  )
}

type Choice = boolean | typeof BUNDLED

function featureField(feature: BuiltFeature): FieldSpec {
  const { label } = FEATURE_LABELS[feature]
  return {
    name: `features/${feature}`,
    label,
    kind: 'own',
    usual: feature === 'search',
    view: ({ value, isOff, onChange }) => (
      <div class={`${GRID_CLASS} min-h-(--row) border-b last:border-0`} role="row">
        <span role="rowheader">{label}</span>
        {COLUMNS.map(({ name, label: deployment }) => (
          <span key={name} class="flex justify-center" role="cell">
            <Cell
              feature={feature}
              deployment={name}
              label={t('{feature}, {deployment}', { feature: label, deployment })}
              choice={value as Choice}
              isOff={isOff}
              onChange={onChange}
            />
          </span>
        ))}
      </div>
    ),
  }
}

function Cell({
  feature,
  deployment,
  label,
  choice,
  isOff,
  onChange,
}: {
  feature: BuiltFeature
  deployment: Deployment
  label: string
  choice: Choice
  isOff: boolean
  onChange: (value: Value) => void
}) {
  const isInBundle = isBundled(feature as Feature, deployment)
  if (isChoosable(feature) && (FEATURE_MATRIX[feature][deployment] === 'configurable' || isInBundle))
    return (
      <Switch
        isBare
        label={label}
        isOff={isOff}
        isOn={isInBundle ? choice === BUNDLED : choice !== false}
        // Features of an air-gapped bundle are included in every other bundle too.
        onChange={(isOn) => onChange(isInBundle && isOn ? BUNDLED : isInBundle || isOn)}
      />
    )
  if (FEATURE_MATRIX[feature][deployment] === 'yes')
    return <Icon name="check" label={t('always')} class="text-success" />
  return (
    <span class="text-faint" title={NOT_POSSIBLE}>
      <span aria-hidden="true">–</span>
      <span class="sr-only">{NOT_POSSIBLE}</span>
    </span>
  )
}
