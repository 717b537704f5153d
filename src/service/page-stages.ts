import type { Config } from '../config.ts';
import { mediaStage } from '../pages/media-stage.ts';
import { renderStage } from '../pages/render-stage.ts';
import { ShellPages } from '../pages/shell-pages.ts';
import type { PageStages } from '../pages/stages.ts';

/** The stages of the page pipeline besides the built-in ones. */
export function pageStages({ resultMs }: Pick<Config, 'resultMs'>): PageStages {
  return { obtain: [renderStage(resultMs)], read: [], enrich: [mediaStage(resultMs)], shells: new ShellPages() };
}
