/** Switches for the features of a bundle. Features that cannot be chosen are listed too, with the reason. */

import {
  BUILT_FEATURES,
  BUNDLED,
  configurableFeatures,
  type ExportDeployment,
  type FeatureChoices,
  type FeatureSet,
  isBundled,
} from '../../../../../src/base/api/features.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Switch } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { explainFeatureState, FEATURE_LABELS } from './export-labels.ts'

export function FeatureSwitches({
  deployment,
  features,
  onChange,
  isOff = false,
}: {
  deployment: ExportDeployment
  features: FeatureSet
  onChange: (change: FeatureChoices) => void
  isOff?: boolean
}) {
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
