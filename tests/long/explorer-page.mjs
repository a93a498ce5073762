// node explorer-page.mjs PROGRAM PLAYWRIGHT [WORD], run by explorer-page.sh.
import { plan } from "../support/browser.mjs";
import "./explorer-page/moving.mjs";
import "./explorer-page/recipe.mjs";
import "./explorer-page/told.mjs";
import "./explorer-page/wrong.mjs";

plan();
