// Generated from schemas/ by "npm run types". Do not edit.
"use strict";
exports.applicationConsumers = validate20;
const schema31 = {"type":"object","additionalProperties":false,"required":["name","slug","secret","grantTypes"],"properties":{"name":{"type":"string","minLength":1},"slug":{"type":"string","minLength":1},"secret":{"type":"string","minLength":1},"grantTypes":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/GrantType"}},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"defaultRedirectUri":{"type":["string","null"],"format":"uri"},"redirectUris":{"type":["array","null"],"items":{"type":"string","format":"uri"}},"noExplicitConsentRequired":{"type":"boolean"},"scopes":{"type":"array","items":{"type":"string"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/ApplicationConsumer"};
const schema32 = {"type":"string","enum":["AUTHORIZATION_CODE","PASSWORD","REFRESH_TOKEN"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/GrantType"};
const schema33 = {"type":"string","enum":["ACTIVATED","DEACTIVATED","ARCHIVED"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/Status"};
const func1 = Object.prototype.hasOwnProperty;
const func2 = require("ajv/dist/runtime/ucs2length").default;
const formats0 = require("ajv-formats/dist/formats").fullFormats.uri;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/ApplicationConsumer" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.slug === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "slug"},message:"must have required property '"+"slug"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.secret === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "secret"},message:"must have required property '"+"secret"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.grantTypes === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "grantTypes"},message:"must have required property '"+"grantTypes"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema31.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.slug !== undefined){
let data1 = data.slug;
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err7 = {instancePath:instancePath+"/slug",schemaPath:"#/properties/slug/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/slug",schemaPath:"#/properties/slug/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.secret !== undefined){
let data2 = data.secret;
if(typeof data2 === "string"){
if(func2(data2) < 1){
const err9 = {instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.grantTypes !== undefined){
let data3 = data.grantTypes;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data4 = data3[i0];
if(typeof data4 !== "string"){
const err11 = {instancePath:instancePath+"/grantTypes/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/GrantType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(((data4 === "AUTHORIZATION_CODE") || (data4 === "PASSWORD")) || (data4 === "REFRESH_TOKEN"))){
const err12 = {instancePath:instancePath+"/grantTypes/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/GrantType/enum",keyword:"enum",params:{allowedValues: schema32.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/grantTypes",schemaPath:"#/properties/grantTypes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.status !== undefined){
let data5 = data.status;
if(typeof data5 !== "string"){
const err14 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!(((data5 === "ACTIVATED") || (data5 === "DEACTIVATED")) || (data5 === "ARCHIVED"))){
const err15 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.defaultRedirectUri !== undefined){
let data6 = data.defaultRedirectUri;
if((typeof data6 !== "string") && (data6 !== null)){
const err16 = {instancePath:instancePath+"/defaultRedirectUri",schemaPath:"#/properties/defaultRedirectUri/type",keyword:"type",params:{type: schema31.properties.defaultRedirectUri.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(typeof data6 === "string"){
if(!(formats0(data6))){
const err17 = {instancePath:instancePath+"/defaultRedirectUri",schemaPath:"#/properties/defaultRedirectUri/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
if(data.redirectUris !== undefined){
let data7 = data.redirectUris;
if((!(Array.isArray(data7))) && (data7 !== null)){
const err18 = {instancePath:instancePath+"/redirectUris",schemaPath:"#/properties/redirectUris/type",keyword:"type",params:{type: schema31.properties.redirectUris.type},message:"must be array,null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(Array.isArray(data7)){
const len1 = data7.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
let data8 = data7[i1];
if(typeof data8 === "string"){
if(!(formats0(data8))){
const err19 = {instancePath:instancePath+"/redirectUris/" + i1,schemaPath:"#/properties/redirectUris/items/format",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/redirectUris/" + i1,schemaPath:"#/properties/redirectUris/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
}
if(data.noExplicitConsentRequired !== undefined){
if(typeof data.noExplicitConsentRequired !== "boolean"){
const err21 = {instancePath:instancePath+"/noExplicitConsentRequired",schemaPath:"#/properties/noExplicitConsentRequired/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.scopes !== undefined){
let data10 = data.scopes;
if(Array.isArray(data10)){
const len2 = data10.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(typeof data10[i2] !== "string"){
const err22 = {instancePath:instancePath+"/scopes/" + i2,schemaPath:"#/properties/scopes/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/scopes",schemaPath:"#/properties/scopes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.characteristics = validate21;
const schema34 = {"type":"object","additionalProperties":false,"required":["code","name","characteristicType","dataType"],"properties":{"code":{"type":"string","minLength":1},"name":{"type":"string"},"description":{"type":["null","string"]},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"characteristicType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicType"},"dataType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/DataType"},"symbol":{"type":["null","string"]},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"multiple":{"type":"boolean"},"options":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOption"}},"schema":{"type":["object","string","null"],"additionalProperties":true},"boundaryMin":{"type":["string","number","null"]},"boundaryMax":{"type":["string","number","null"]},"boundaryStep":{"type":["number","null"]},"precision":{"type":["integer","null"],"minimum":-9007199254740991,"maximum":9007199254740991}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/Characteristic"};
const schema36 = {"type":"string","enum":["MEASUREMENT","SETTING"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicType"};
const schema37 = {"type":"string","enum":["BLOB","BOOLEAN","DATE","FLOAT","INTEGER","JSON","SELECT","STRING","TIME","TIMESPAN","TIMESTAMP"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/DataType"};
const schema38 = {"type":"object","additionalProperties":false,"required":["key","value"],"properties":{"key":{"type":"string","minLength":1},"value":{"anyOf":[{"type":["string","number","boolean","null"]},{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue"}]}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"};
const schema39 = {"type":"object","additionalProperties":false,"properties":{"string":{"type":"string"},"float":{"type":"number"},"integer":{"type":["integer","string"],"pattern":"^(0|-?[1-9][0-9]{0,307})$"},"boolean":{"type":"boolean"},"timestamp":{"type":"string","format":"date-time"},"uuid":{"type":"string","format":"uuid"}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue","minProperties":1,"maxProperties":1};
const pattern4 = new RegExp("^(0|-?[1-9][0-9]{0,307})$", "u");
const formats4 = require("ajv-formats/dist/formats").fullFormats["date-time"];
const formats6 = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/MetadataItem" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.key === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.value === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((key0 === "key") || (key0 === "value"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.key !== undefined){
let data0 = data.key;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err3 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.value !== undefined){
let data1 = data.value;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if((((typeof data1 !== "string") && (!((typeof data1 == "number") && (isFinite(data1))))) && (typeof data1 !== "boolean")) && (data1 !== null)){
const err5 = {instancePath:instancePath+"/value",schemaPath:"#/properties/value/anyOf/0/type",keyword:"type",params:{type: schema38.properties.value.anyOf[0].type},message:"must be string,number,boolean,null"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 1){
const err6 = {instancePath:instancePath+"/value",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/maxProperties",keyword:"maxProperties",params:{limit: 1},message:"must NOT have more than 1 properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Object.keys(data1).length < 1){
const err7 = {instancePath:instancePath+"/value",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key1 in data1){
if(isFull(vErrors)) break;
if(!((((((key1 === "string") || (key1 === "float")) || (key1 === "integer")) || (key1 === "boolean")) || (key1 === "timestamp")) || (key1 === "uuid"))){
const err8 = {instancePath:instancePath+"/value",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.string !== undefined){
if(typeof data1.string !== "string"){
const err9 = {instancePath:instancePath+"/value/string",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/string/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.float !== undefined){
let data3 = data1.float;
if(!((typeof data3 == "number") && (isFinite(data3)))){
const err10 = {instancePath:instancePath+"/value/float",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/float/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.integer !== undefined){
let data4 = data1.integer;
if((!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))) && (typeof data4 !== "string")){
const err11 = {instancePath:instancePath+"/value/integer",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/integer/type",keyword:"type",params:{type: schema39.properties.integer.type},message:"must be integer,string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
const err12 = {instancePath:instancePath+"/value/integer",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/integer/pattern",keyword:"pattern",params:{pattern: "^(0|-?[1-9][0-9]{0,307})$"},message:"must match pattern \""+"^(0|-?[1-9][0-9]{0,307})$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data1.boolean !== undefined){
if(typeof data1.boolean !== "boolean"){
const err13 = {instancePath:instancePath+"/value/boolean",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/boolean/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data1.timestamp !== undefined){
let data6 = data1.timestamp;
if(typeof data6 === "string"){
if(!(formats4.validate(data6))){
const err14 = {instancePath:instancePath+"/value/timestamp",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/timestamp/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/value/timestamp",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data1.uuid !== undefined){
let data7 = data1.uuid;
if(typeof data7 === "string"){
if(!(formats6.test(data7))){
const err16 = {instancePath:instancePath+"/value/uuid",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/uuid/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/value/uuid",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/properties/uuid/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/value",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/TypedMetadataValue/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err19 = {instancePath:instancePath+"/value",schemaPath:"#/properties/value/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema40 = {"type":"object","additionalProperties":false,"required":["key","label"],"properties":{"key":{"type":"string"},"label":{"type":"string"},"meta":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOption"};
const schema41 = {"type":"object","additionalProperties":false,"required":["key","value"],"properties":{"key":{"type":"string"},"value":{"type":"string"}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta"};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOption" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.key === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.label === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "label"},message:"must have required property '"+"label"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "key") || (key0 === "label")) || (key0 === "meta"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err3 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.label !== undefined){
if(typeof data.label !== "string"){
const err4 = {instancePath:instancePath+"/label",schemaPath:"#/properties/label/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.meta !== undefined){
let data2 = data.meta;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data3 = data2[i0];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.key === undefined){
const err5 = {instancePath:instancePath+"/meta/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data3.value === undefined){
const err6 = {instancePath:instancePath+"/meta/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 in data3){
if(isFull(vErrors)) break;
if(!((key1 === "key") || (key1 === "value"))){
const err7 = {instancePath:instancePath+"/meta/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data3.key !== undefined){
if(typeof data3.key !== "string"){
const err8 = {instancePath:instancePath+"/meta/" + i0+"/key",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data3.value !== undefined){
if(typeof data3.value !== "string"){
const err9 = {instancePath:instancePath+"/meta/" + i0+"/value",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/meta/" + i0,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicOptionMeta/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/meta",schemaPath:"#/properties/meta/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/Characteristic" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.characteristicType === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "characteristicType"},message:"must have required property '"+"characteristicType"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.dataType === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "dataType"},message:"must have required property '"+"dataType"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema34.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err5 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.description !== undefined){
let data2 = data.description;
if((data2 !== null) && (typeof data2 !== "string")){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: schema34.properties.description.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.status !== undefined){
let data3 = data.status;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!(((data3 === "ACTIVATED") || (data3 === "DEACTIVATED")) || (data3 === "ARCHIVED"))){
const err10 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.characteristicType !== undefined){
let data4 = data.characteristicType;
if(typeof data4 !== "string"){
const err11 = {instancePath:instancePath+"/characteristicType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!((data4 === "MEASUREMENT") || (data4 === "SETTING"))){
const err12 = {instancePath:instancePath+"/characteristicType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicType/enum",keyword:"enum",params:{allowedValues: schema36.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.dataType !== undefined){
let data5 = data.dataType;
if(typeof data5 !== "string"){
const err13 = {instancePath:instancePath+"/dataType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!(((((((((((data5 === "BLOB") || (data5 === "BOOLEAN")) || (data5 === "DATE")) || (data5 === "FLOAT")) || (data5 === "INTEGER")) || (data5 === "JSON")) || (data5 === "SELECT")) || (data5 === "STRING")) || (data5 === "TIME")) || (data5 === "TIMESPAN")) || (data5 === "TIMESTAMP"))){
const err14 = {instancePath:instancePath+"/dataType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataType/enum",keyword:"enum",params:{allowedValues: schema37.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.symbol !== undefined){
let data6 = data.symbol;
if((data6 !== null) && (typeof data6 !== "string")){
const err15 = {instancePath:instancePath+"/symbol",schemaPath:"#/properties/symbol/type",keyword:"type",params:{type: schema34.properties.symbol.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data7 = data.metadataKeyValueStore;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data7[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err16 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.multiple !== undefined){
if(typeof data.multiple !== "boolean"){
const err17 = {instancePath:instancePath+"/multiple",schemaPath:"#/properties/multiple/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.options !== undefined){
let data10 = data.options;
if(Array.isArray(data10)){
const len1 = data10.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate24(data10[i1], {instancePath:instancePath+"/options/" + i1,parentData:data10,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
}
else {
const err18 = {instancePath:instancePath+"/options",schemaPath:"#/properties/options/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.schema !== undefined){
let data12 = data.schema;
if(((!(data12 && typeof data12 == "object" && !Array.isArray(data12))) && (typeof data12 !== "string")) && (data12 !== null)){
const err19 = {instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: schema34.properties.schema.type},message:"must be object,string,null"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.boundaryMin !== undefined){
let data13 = data.boundaryMin;
if(((typeof data13 !== "string") && (!((typeof data13 == "number") && (isFinite(data13))))) && (data13 !== null)){
const err20 = {instancePath:instancePath+"/boundaryMin",schemaPath:"#/properties/boundaryMin/type",keyword:"type",params:{type: schema34.properties.boundaryMin.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.boundaryMax !== undefined){
let data14 = data.boundaryMax;
if(((typeof data14 !== "string") && (!((typeof data14 == "number") && (isFinite(data14))))) && (data14 !== null)){
const err21 = {instancePath:instancePath+"/boundaryMax",schemaPath:"#/properties/boundaryMax/type",keyword:"type",params:{type: schema34.properties.boundaryMax.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.boundaryStep !== undefined){
let data15 = data.boundaryStep;
if((!((typeof data15 == "number") && (isFinite(data15)))) && (data15 !== null)){
const err22 = {instancePath:instancePath+"/boundaryStep",schemaPath:"#/properties/boundaryStep/type",keyword:"type",params:{type: schema34.properties.boundaryStep.type},message:"must be number,null"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.precision !== undefined){
let data16 = data.precision;
if((!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))) && (data16 !== null)){
const err23 = {instancePath:instancePath+"/precision",schemaPath:"#/properties/precision/type",keyword:"type",params:{type: schema34.properties.precision.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 9007199254740991 || isNaN(data16)){
const err24 = {instancePath:instancePath+"/precision",schemaPath:"#/properties/precision/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data16 < -9007199254740991 || isNaN(data16)){
const err25 = {instancePath:instancePath+"/precision",schemaPath:"#/properties/precision/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
}
else {
const err26 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.characteristicServiceLinks = validate26;
const schema42 = {"type":"object","additionalProperties":false,"required":["characteristicCode","serviceCode"],"properties":{"characteristicCode":{"type":"string","minLength":1},"serviceCode":{"type":"string","minLength":1}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink"};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.characteristicCode === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "characteristicCode"},message:"must have required property '"+"characteristicCode"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.serviceCode === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "serviceCode"},message:"must have required property '"+"serviceCode"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((key0 === "characteristicCode") || (key0 === "serviceCode"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.characteristicCode !== undefined){
let data0 = data.characteristicCode;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err3 = {instancePath:instancePath+"/characteristicCode",schemaPath:"#/properties/characteristicCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/characteristicCode",schemaPath:"#/properties/characteristicCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.serviceCode !== undefined){
let data1 = data.serviceCode;
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err5 = {instancePath:instancePath+"/serviceCode",schemaPath:"#/properties/serviceCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/serviceCode",schemaPath:"#/properties/serviceCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.componentModels = validate27;
const schema43 = {"type":"object","additionalProperties":false,"required":["code","name","componentType"],"properties":{"code":{"type":"string","minLength":1},"name":{"type":"string"},"description":{"type":["null","string"]},"componentType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ComponentType"},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"isConnective":{"type":"boolean"},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"services":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/ComponentModel"};
const schema44 = {"type":"string","enum":["DEVICE","GATEWAY","VIRTUAL"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/ComponentType"};
const schema46 = {"type":"object","additionalProperties":false,"required":["code"],"properties":{"code":{"type":"string","minLength":1},"index":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService"};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/ComponentModel" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.componentType === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "componentType"},message:"must have required property '"+"componentType"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((((key0 === "code") || (key0 === "name")) || (key0 === "description")) || (key0 === "componentType")) || (key0 === "status")) || (key0 === "isConnective")) || (key0 === "metadataKeyValueStore")) || (key0 === "services"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err4 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.description !== undefined){
let data2 = data.description;
if((data2 !== null) && (typeof data2 !== "string")){
const err7 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: schema43.properties.description.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.componentType !== undefined){
let data3 = data.componentType;
if(typeof data3 !== "string"){
const err8 = {instancePath:instancePath+"/componentType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(((data3 === "DEVICE") || (data3 === "GATEWAY")) || (data3 === "VIRTUAL"))){
const err9 = {instancePath:instancePath+"/componentType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentType/enum",keyword:"enum",params:{allowedValues: schema44.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(typeof data4 !== "string"){
const err10 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!(((data4 === "ACTIVATED") || (data4 === "DEACTIVATED")) || (data4 === "ARCHIVED"))){
const err11 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.isConnective !== undefined){
if(typeof data.isConnective !== "boolean"){
const err12 = {instancePath:instancePath+"/isConnective",schemaPath:"#/properties/isConnective/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data6 = data.metadataKeyValueStore;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data6[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.services !== undefined){
let data8 = data.services;
if(Array.isArray(data8)){
const len1 = data8.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
let data9 = data8[i1];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.code === undefined){
const err14 = {instancePath:instancePath+"/services/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key1 in data9){
if(isFull(vErrors)) break;
if(!((key1 === "code") || (key1 === "index"))){
const err15 = {instancePath:instancePath+"/services/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data9.code !== undefined){
let data10 = data9.code;
if(typeof data10 === "string"){
if(func2(data10) < 1){
const err16 = {instancePath:instancePath+"/services/" + i1+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/services/" + i1+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data9.index !== undefined){
let data11 = data9.index;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err18 = {instancePath:instancePath+"/services/" + i1+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 2147483647 || isNaN(data11)){
const err19 = {instancePath:instancePath+"/services/" + i1+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/properties/index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data11 < -2147483648 || isNaN(data11)){
const err20 = {instancePath:instancePath+"/services/" + i1+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2147483648},message:"must be >= -2147483648"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
}
else {
const err21 = {instancePath:instancePath+"/services/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ComponentModelService/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/services",schemaPath:"#/properties/services/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.dataSources = validate29;
const schema47 = {"type":"object","additionalProperties":false,"required":["code"],"properties":{"code":{"type":"string","minLength":1},"name":{"type":"string"},"description":{"type":["null","string"]},"reference":{"type":["null","string"]}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/DataSource"};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/DataSource" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((key0 === "code") || (key0 === "name")) || (key0 === "description")) || (key0 === "reference"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err2 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.description !== undefined){
let data2 = data.description;
if((data2 !== null) && (typeof data2 !== "string")){
const err5 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: schema47.properties.description.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.reference !== undefined){
let data3 = data.reference;
if((data3 !== null) && (typeof data3 !== "string")){
const err6 = {instancePath:instancePath+"/reference",schemaPath:"#/properties/reference/type",keyword:"type",params:{type: schema47.properties.reference.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.eventModels = validate30;
const schema48 = {"type":"object","additionalProperties":false,"required":["code","eventType","entityType"],"properties":{"code":{"type":"string","minLength":1},"eventType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/EventType"},"entityType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/EventEntityType"},"eventLevel":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/EventLevel"},"message":{"type":["null","string"]},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"limitToPrototypes":{"type":"boolean"}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/EventModel"};
const schema49 = {"type":"string","enum":["RANGED","SINGLE_POINT"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/EventType"};
const schema50 = {"type":"string","enum":["COMPONENT","SYSTEM"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/EventEntityType"};
const schema51 = {"type":"string","enum":["ERROR","INFO","SUCCESS","WARNING"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/EventLevel"};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/EventModel" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.eventType === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "eventType"},message:"must have required property '"+"eventType"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.entityType === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "entityType"},message:"must have required property '"+"entityType"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((((key0 === "code") || (key0 === "eventType")) || (key0 === "entityType")) || (key0 === "eventLevel")) || (key0 === "message")) || (key0 === "metadataKeyValueStore")) || (key0 === "status")) || (key0 === "limitToPrototypes"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err4 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.eventType !== undefined){
let data1 = data.eventType;
if(typeof data1 !== "string"){
const err6 = {instancePath:instancePath+"/eventType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!((data1 === "RANGED") || (data1 === "SINGLE_POINT"))){
const err7 = {instancePath:instancePath+"/eventType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventType/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.entityType !== undefined){
let data2 = data.entityType;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/entityType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventEntityType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!((data2 === "COMPONENT") || (data2 === "SYSTEM"))){
const err9 = {instancePath:instancePath+"/entityType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventEntityType/enum",keyword:"enum",params:{allowedValues: schema50.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.eventLevel !== undefined){
let data3 = data.eventLevel;
if(typeof data3 !== "string"){
const err10 = {instancePath:instancePath+"/eventLevel",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventLevel/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!((((data3 === "ERROR") || (data3 === "INFO")) || (data3 === "SUCCESS")) || (data3 === "WARNING"))){
const err11 = {instancePath:instancePath+"/eventLevel",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/EventLevel/enum",keyword:"enum",params:{allowedValues: schema51.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.message !== undefined){
let data4 = data.message;
if((data4 !== null) && (typeof data4 !== "string")){
const err12 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: schema48.properties.message.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data5 = data.metadataKeyValueStore;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data5[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data5,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.status !== undefined){
let data7 = data.status;
if(typeof data7 !== "string"){
const err14 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!(((data7 === "ACTIVATED") || (data7 === "DEACTIVATED")) || (data7 === "ARCHIVED"))){
const err15 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.limitToPrototypes !== undefined){
if(typeof data.limitToPrototypes !== "boolean"){
const err16 = {instancePath:instancePath+"/limitToPrototypes",schemaPath:"#/properties/limitToPrototypes/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.machineUsers = validate32;
const schema53 = {"type":"object","additionalProperties":false,"required":["username","password"],"properties":{"username":{"type":"string","minLength":1},"password":{"type":"string","minLength":1},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/MachineUser"};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/MachineUser" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.username === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "username"},message:"must have required property '"+"username"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "password"},message:"must have required property '"+"password"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "username") || (key0 === "password")) || (key0 === "status"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.username !== undefined){
let data0 = data.username;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err3 = {instancePath:instancePath+"/username",schemaPath:"#/properties/username/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/username",schemaPath:"#/properties/username/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err5 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(typeof data2 !== "string"){
const err7 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((data2 === "ACTIVATED") || (data2 === "DEACTIVATED")) || (data2 === "ARCHIVED"))){
const err8 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.metadataTypes = validate33;
const schema55 = {"type":"object","additionalProperties":false,"required":["key","entityType","dataType"],"properties":{"key":{"type":"string","minLength":1},"description":{"type":["string","null"]},"entityType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataEntityType"},"dataType":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataDataType"},"default":{"type":["string","number","boolean","null"]},"unique":{"type":"boolean"}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/MetadataType"};
const schema56 = {"type":"string","enum":["CHARACTERISTIC","COMPONENT","COMPONENT_MODEL","EVENT","EVENT_MODEL","ORGANIZATION","ORGANIZATION_UNIT","SERVICE","SYSTEM","USER"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/MetadataEntityType"};
const schema57 = {"type":"string","enum":["BOOLEAN","FLOAT","INTEGER","STRING","TIMESTAMP","UUID"],"$id":"https://holdfast.dev/schemas/import-document.schema.json/MetadataDataType"};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/MetadataType" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate33.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.key === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.entityType === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "entityType"},message:"must have required property '"+"entityType"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.dataType === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "dataType"},message:"must have required property '"+"dataType"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "key") || (key0 === "description")) || (key0 === "entityType")) || (key0 === "dataType")) || (key0 === "default")) || (key0 === "unique"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.key !== undefined){
let data0 = data.key;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err4 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined){
let data1 = data.description;
if((typeof data1 !== "string") && (data1 !== null)){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: schema55.properties.description.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.entityType !== undefined){
let data2 = data.entityType;
if(typeof data2 !== "string"){
const err7 = {instancePath:instancePath+"/entityType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/MetadataEntityType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((((((((((data2 === "CHARACTERISTIC") || (data2 === "COMPONENT")) || (data2 === "COMPONENT_MODEL")) || (data2 === "EVENT")) || (data2 === "EVENT_MODEL")) || (data2 === "ORGANIZATION")) || (data2 === "ORGANIZATION_UNIT")) || (data2 === "SERVICE")) || (data2 === "SYSTEM")) || (data2 === "USER"))){
const err8 = {instancePath:instancePath+"/entityType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/MetadataEntityType/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.dataType !== undefined){
let data3 = data.dataType;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/dataType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/MetadataDataType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((((((data3 === "BOOLEAN") || (data3 === "FLOAT")) || (data3 === "INTEGER")) || (data3 === "STRING")) || (data3 === "TIMESTAMP")) || (data3 === "UUID"))){
const err10 = {instancePath:instancePath+"/dataType",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/MetadataDataType/enum",keyword:"enum",params:{allowedValues: schema57.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.default !== undefined){
let data4 = data.default;
if((((typeof data4 !== "string") && (!((typeof data4 == "number") && (isFinite(data4))))) && (typeof data4 !== "boolean")) && (data4 !== null)){
const err11 = {instancePath:instancePath+"/default",schemaPath:"#/properties/default/type",keyword:"type",params:{type: schema55.properties.default.type},message:"must be string,number,boolean,null"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.unique !== undefined){
if(typeof data.unique !== "boolean"){
const err12 = {instancePath:instancePath+"/unique",schemaPath:"#/properties/unique/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.services = validate34;
const schema58 = {"type":"object","additionalProperties":false,"required":["code","name"],"properties":{"code":{"type":"string","minLength":1},"name":{"type":"string"},"description":{"type":"string"},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"characteristics":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/Service"};
const schema60 = {"type":"object","additionalProperties":false,"required":["code"],"properties":{"code":{"type":"string","minLength":1}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic"};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/Service" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "code") || (key0 === "name")) || (key0 === "description")) || (key0 === "status")) || (key0 === "metadataKeyValueStore")) || (key0 === "characteristics"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err3 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.status !== undefined){
let data3 = data.status;
if(typeof data3 !== "string"){
const err7 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((data3 === "ACTIVATED") || (data3 === "DEACTIVATED")) || (data3 === "ARCHIVED"))){
const err8 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data4 = data.metadataKeyValueStore;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data4[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.characteristics !== undefined){
let data6 = data.characteristics;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.code === undefined){
const err10 = {instancePath:instancePath+"/characteristics/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key1 in data7){
if(isFull(vErrors)) break;
if(!(key1 === "code")){
const err11 = {instancePath:instancePath+"/characteristics/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data7.code !== undefined){
let data8 = data7.code;
if(typeof data8 === "string"){
if(func2(data8) < 1){
const err12 = {instancePath:instancePath+"/characteristics/" + i1+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/characteristics/" + i1+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/characteristics/" + i1,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceCharacteristic/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/characteristics",schemaPath:"#/properties/characteristics/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.serviceComponentModelLinks = validate36;
const schema61 = {"type":"object","additionalProperties":false,"required":["serviceCode","componentModelCode"],"properties":{"serviceCode":{"type":"string","minLength":1},"componentModelCode":{"type":"string","minLength":1},"index":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink"};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.serviceCode === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "serviceCode"},message:"must have required property '"+"serviceCode"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.componentModelCode === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "componentModelCode"},message:"must have required property '"+"componentModelCode"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "serviceCode") || (key0 === "componentModelCode")) || (key0 === "index"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.serviceCode !== undefined){
let data0 = data.serviceCode;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err3 = {instancePath:instancePath+"/serviceCode",schemaPath:"#/properties/serviceCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/serviceCode",schemaPath:"#/properties/serviceCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.componentModelCode !== undefined){
let data1 = data.componentModelCode;
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err5 = {instancePath:instancePath+"/componentModelCode",schemaPath:"#/properties/componentModelCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/componentModelCode",schemaPath:"#/properties/componentModelCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.index !== undefined){
let data2 = data.index;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/index",schemaPath:"#/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/index",schemaPath:"#/properties/index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data2 < -2147483648 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/index",schemaPath:"#/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2147483648},message:"must be >= -2147483648"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.organizations = validate37;
const schema62 = {"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1},"alias":{"type":["string","null"],"minLength":1},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"organizationUnits":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/OrganizationUnit"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/Organization"};
const schema64 = {"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1},"alias":{"type":["string","null"],"minLength":1},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"directChildren":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/OrganizationUnit"}}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/OrganizationUnit"};
const wrapper0 = {validate: validate39};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/OrganizationUnit" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate39.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "name") || (key0 === "alias")) || (key0 === "metadataKeyValueStore")) || (key0 === "status")) || (key0 === "directChildren"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err2 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.alias !== undefined){
let data1 = data.alias;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/alias",schemaPath:"#/properties/alias/type",keyword:"type",params:{type: schema64.properties.alias.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err5 = {instancePath:instancePath+"/alias",schemaPath:"#/properties/alias/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.metadataKeyValueStore !== undefined){
let data2 = data.metadataKeyValueStore;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data2[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(typeof data4 !== "string"){
const err7 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((data4 === "ACTIVATED") || (data4 === "DEACTIVATED")) || (data4 === "ARCHIVED"))){
const err8 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.directChildren !== undefined){
let data5 = data.directChildren;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(wrapper0.validate(data5[i1], {instancePath:instancePath+"/directChildren/" + i1,parentData:data5,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/directChildren",schemaPath:"#/properties/directChildren/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/Organization" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "name") || (key0 === "alias")) || (key0 === "status")) || (key0 === "metadataKeyValueStore")) || (key0 === "organizationUnits"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) < 1){
const err2 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.alias !== undefined){
let data1 = data.alias;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/alias",schemaPath:"#/properties/alias/type",keyword:"type",params:{type: schema62.properties.alias.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err5 = {instancePath:instancePath+"/alias",schemaPath:"#/properties/alias/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.status !== undefined){
let data2 = data.status;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((data2 === "ACTIVATED") || (data2 === "DEACTIVATED")) || (data2 === "ARCHIVED"))){
const err7 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data3 = data.metadataKeyValueStore;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data3[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.organizationUnits !== undefined){
let data5 = data.organizationUnits;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate39(data5[i1], {instancePath:instancePath+"/organizationUnits/" + i1,parentData:data5,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/organizationUnits",schemaPath:"#/properties/organizationUnits/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.users = validate42;
const schema66 = {"type":"object","additionalProperties":false,"required":["email"],"properties":{"email":{"type":"string","format":"email"},"name":{"type":["string","null"]},"status":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Status"},"metadataKeyValueStore":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataItem"}},"organization":{"anyOf":[{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/UserOrganization"},{"type":"null"}]}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/User"};
const schema68 = {"type":"object","additionalProperties":false,"properties":{"alias":{"type":["string","null"]}},"$id":"https://holdfast.dev/schemas/import-document.schema.json/UserOrganization"};
const formats8 = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json/User" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate42.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "email") || (key0 === "name")) || (key0 === "status")) || (key0 === "metadataKeyValueStore")) || (key0 === "organization"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(!(formats8.test(data0))){
const err2 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema66.properties.name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((data2 === "ACTIVATED") || (data2 === "DEACTIVATED")) || (data2 === "ARCHIVED"))){
const err6 = {instancePath:instancePath+"/status",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/Status/enum",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.metadataKeyValueStore !== undefined){
let data3 = data.metadataKeyValueStore;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate22(data3[i0], {instancePath:instancePath+"/metadataKeyValueStore/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
}
else {
const err7 = {instancePath:instancePath+"/metadataKeyValueStore",schemaPath:"#/properties/metadataKeyValueStore/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.organization !== undefined){
let data5 = data.organization;
const _errs13 = errors;
let valid4 = false;
const _errs14 = errors;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key1 in data5){
if(isFull(vErrors)) break;
if(!(key1 === "alias")){
const err8 = {instancePath:instancePath+"/organization",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/UserOrganization/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data5.alias !== undefined){
let data6 = data5.alias;
if((typeof data6 !== "string") && (data6 !== null)){
const err9 = {instancePath:instancePath+"/organization/alias",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/UserOrganization/properties/alias/type",keyword:"type",params:{type: schema68.properties.alias.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/organization",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/UserOrganization/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid4 = valid4 || _valid0;
const _errs20 = errors;
if(data5 !== null){
const err11 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid0 = _errs20 === errors;
valid4 = valid4 || _valid0;
if(!valid4){
const err12 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
else {
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}
validate42.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.importDocument = validate44;
const schema69 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://holdfast.dev/schemas/import-document.schema.json","type":"object","additionalProperties":false,"properties":{"$schema":{"type":"string"},"applicationConsumers":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ApplicationConsumer"}},"characteristics":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Characteristic"}},"characteristicServiceLinks":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink"}},"componentModels":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ComponentModel"}},"dataSources":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/DataSource"}},"eventModels":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/EventModel"}},"machineUsers":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MachineUser"}},"metadataTypes":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/MetadataType"}},"services":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Service"}},"serviceComponentModelLinks":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink"}},"organizations":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/Organization"}},"users":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/import-document.schema.json/User"}}}};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/import-document.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema69.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.$schema !== undefined){
if(typeof data.$schema !== "string"){
const err1 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.applicationConsumers !== undefined){
let data1 = data.applicationConsumers;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate20(data1[i0], {instancePath:instancePath+"/applicationConsumers/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/applicationConsumers",schemaPath:"#/properties/applicationConsumers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.characteristics !== undefined){
let data3 = data.characteristics;
if(Array.isArray(data3)){
const len1 = data3.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate21(data3[i1], {instancePath:instancePath+"/characteristics/" + i1,parentData:data3,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath:instancePath+"/characteristics",schemaPath:"#/properties/characteristics/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.characteristicServiceLinks !== undefined){
let data5 = data.characteristicServiceLinks;
if(Array.isArray(data5)){
const len2 = data5.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
let data6 = data5[i2];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.characteristicCode === undefined){
const err4 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/required",keyword:"required",params:{missingProperty: "characteristicCode"},message:"must have required property '"+"characteristicCode"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data6.serviceCode === undefined){
const err5 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/required",keyword:"required",params:{missingProperty: "serviceCode"},message:"must have required property '"+"serviceCode"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key1 in data6){
if(isFull(vErrors)) break;
if(!((key1 === "characteristicCode") || (key1 === "serviceCode"))){
const err6 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data6.characteristicCode !== undefined){
let data7 = data6.characteristicCode;
if(typeof data7 === "string"){
if(func2(data7) < 1){
const err7 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2+"/characteristicCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/properties/characteristicCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2+"/characteristicCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/properties/characteristicCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data6.serviceCode !== undefined){
let data8 = data6.serviceCode;
if(typeof data8 === "string"){
if(func2(data8) < 1){
const err9 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2+"/serviceCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/properties/serviceCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2+"/serviceCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/properties/serviceCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/characteristicServiceLinks/" + i2,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/CharacteristicServiceLink/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/characteristicServiceLinks",schemaPath:"#/properties/characteristicServiceLinks/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.componentModels !== undefined){
let data9 = data.componentModels;
if(Array.isArray(data9)){
const len3 = data9.length;
for(let i3=0; i3<len3 && !isFull(vErrors); i3++){
if(!(validate27(data9[i3], {instancePath:instancePath+"/componentModels/" + i3,parentData:data9,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/componentModels",schemaPath:"#/properties/componentModels/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.dataSources !== undefined){
let data11 = data.dataSources;
if(Array.isArray(data11)){
const len4 = data11.length;
for(let i4=0; i4<len4 && !isFull(vErrors); i4++){
let data12 = data11[i4];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.code === undefined){
const err14 = {instancePath:instancePath+"/dataSources/" + i4,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key2 in data12){
if(isFull(vErrors)) break;
if(!((((key2 === "code") || (key2 === "name")) || (key2 === "description")) || (key2 === "reference"))){
const err15 = {instancePath:instancePath+"/dataSources/" + i4,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data12.code !== undefined){
let data13 = data12.code;
if(typeof data13 === "string"){
if(func2(data13) < 1){
const err16 = {instancePath:instancePath+"/dataSources/" + i4+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/properties/code/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/dataSources/" + i4+"/code",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data12.name !== undefined){
if(typeof data12.name !== "string"){
const err18 = {instancePath:instancePath+"/dataSources/" + i4+"/name",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data12.description !== undefined){
let data15 = data12.description;
if((data15 !== null) && (typeof data15 !== "string")){
const err19 = {instancePath:instancePath+"/dataSources/" + i4+"/description",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/properties/description/type",keyword:"type",params:{type: schema47.properties.description.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data12.reference !== undefined){
let data16 = data12.reference;
if((data16 !== null) && (typeof data16 !== "string")){
const err20 = {instancePath:instancePath+"/dataSources/" + i4+"/reference",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/properties/reference/type",keyword:"type",params:{type: schema47.properties.reference.type},message:"must be null,string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/dataSources/" + i4,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/DataSource/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/dataSources",schemaPath:"#/properties/dataSources/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.eventModels !== undefined){
let data17 = data.eventModels;
if(Array.isArray(data17)){
const len5 = data17.length;
for(let i5=0; i5<len5 && !isFull(vErrors); i5++){
if(!(validate30(data17[i5], {instancePath:instancePath+"/eventModels/" + i5,parentData:data17,parentDataProperty:i5,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
errors = vErrors.length;
}
}
}
else {
const err23 = {instancePath:instancePath+"/eventModels",schemaPath:"#/properties/eventModels/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.machineUsers !== undefined){
let data19 = data.machineUsers;
if(Array.isArray(data19)){
const len6 = data19.length;
for(let i6=0; i6<len6 && !isFull(vErrors); i6++){
if(!(validate32(data19[i6], {instancePath:instancePath+"/machineUsers/" + i6,parentData:data19,parentDataProperty:i6,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
errors = vErrors.length;
}
}
}
else {
const err24 = {instancePath:instancePath+"/machineUsers",schemaPath:"#/properties/machineUsers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.metadataTypes !== undefined){
let data21 = data.metadataTypes;
if(Array.isArray(data21)){
const len7 = data21.length;
for(let i7=0; i7<len7 && !isFull(vErrors); i7++){
if(!(validate33(data21[i7], {instancePath:instancePath+"/metadataTypes/" + i7,parentData:data21,parentDataProperty:i7,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate33.errors : vErrors.concat(validate33.errors);
errors = vErrors.length;
}
}
}
else {
const err25 = {instancePath:instancePath+"/metadataTypes",schemaPath:"#/properties/metadataTypes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.services !== undefined){
let data23 = data.services;
if(Array.isArray(data23)){
const len8 = data23.length;
for(let i8=0; i8<len8 && !isFull(vErrors); i8++){
if(!(validate34(data23[i8], {instancePath:instancePath+"/services/" + i8,parentData:data23,parentDataProperty:i8,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
}
else {
const err26 = {instancePath:instancePath+"/services",schemaPath:"#/properties/services/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.serviceComponentModelLinks !== undefined){
let data25 = data.serviceComponentModelLinks;
if(Array.isArray(data25)){
const len9 = data25.length;
for(let i9=0; i9<len9 && !isFull(vErrors); i9++){
let data26 = data25[i9];
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.serviceCode === undefined){
const err27 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/required",keyword:"required",params:{missingProperty: "serviceCode"},message:"must have required property '"+"serviceCode"+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data26.componentModelCode === undefined){
const err28 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/required",keyword:"required",params:{missingProperty: "componentModelCode"},message:"must have required property '"+"componentModelCode"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key3 in data26){
if(isFull(vErrors)) break;
if(!(((key3 === "serviceCode") || (key3 === "componentModelCode")) || (key3 === "index"))){
const err29 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data26.serviceCode !== undefined){
let data27 = data26.serviceCode;
if(typeof data27 === "string"){
if(func2(data27) < 1){
const err30 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/serviceCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/serviceCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/serviceCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/serviceCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data26.componentModelCode !== undefined){
let data28 = data26.componentModelCode;
if(typeof data28 === "string"){
if(func2(data28) < 1){
const err32 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/componentModelCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/componentModelCode/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/componentModelCode",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/componentModelCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data26.index !== undefined){
let data29 = data26.index;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err34 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 2147483647 || isNaN(data29)){
const err35 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data29 < -2147483648 || isNaN(data29)){
const err36 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9+"/index",schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2147483648},message:"must be >= -2147483648"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
}
else {
const err37 = {instancePath:instancePath+"/serviceComponentModelLinks/" + i9,schemaPath:"https://holdfast.dev/schemas/import-document.schema.json/ServiceComponentModelLink/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/serviceComponentModelLinks",schemaPath:"#/properties/serviceComponentModelLinks/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.organizations !== undefined){
let data30 = data.organizations;
if(Array.isArray(data30)){
const len10 = data30.length;
for(let i10=0; i10<len10 && !isFull(vErrors); i10++){
if(!(validate37(data30[i10], {instancePath:instancePath+"/organizations/" + i10,parentData:data30,parentDataProperty:i10,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
}
}
else {
const err39 = {instancePath:instancePath+"/organizations",schemaPath:"#/properties/organizations/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.users !== undefined){
let data32 = data.users;
if(Array.isArray(data32)){
const len11 = data32.length;
for(let i11=0; i11<len11 && !isFull(vErrors); i11++){
if(!(validate42(data32[i11], {instancePath:instancePath+"/users/" + i11,parentData:data32,parentDataProperty:i11,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate42.errors : vErrors.concat(validate42.errors);
errors = vErrors.length;
}
}
}
else {
const err40 = {instancePath:instancePath+"/users",schemaPath:"#/properties/users/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.settings = validate54;
const schema73 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://holdfast.dev/schemas/settings.schema.json","type":"object","additionalProperties":false,"properties":{"$schema":{"type":"string"},"owner":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$"},"acknowledge":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Acknowledgement"}},"protect":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Protection"}},"moved":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Move"}},"access":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Grant"}}}};
const pattern5 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$", "u");
const schema74 = {"type":"object","additionalProperties":false,"required":["code","type"],"properties":{"code":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/GuardCode"},"type":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/GuardedType"},"key":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/WrittenKey"},"digest":{"type":"string","pattern":"^sha256:[0-9a-f]{64}$"},"reason":{"type":"string"}},"$id":"https://holdfast.dev/schemas/settings.schema.json/Acknowledgement"};
const schema75 = {"type":"string","enum":["deletes-data","invalidates-data","relabels-data","strands-data","mass-delete","takes-over","empties-type","leaves-scope","takes-ownership","protected","widens-access","overwrites-later"],"$id":"https://holdfast.dev/schemas/settings.schema.json/GuardCode"};
const schema76 = {"type":"string","enum":["applicationConsumers","characteristics","characteristicServiceLinks","componentModels","dataSources","eventModels","machineUsers","metadataTypes","services","serviceComponentModelLinks","organizations","users","access"],"$id":"https://holdfast.dev/schemas/settings.schema.json/GuardedType"};
const schema77 = {"type":"string","minLength":1,"maxLength":2700,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$","$id":"https://holdfast.dev/schemas/settings.schema.json/WrittenKey"};
const pattern6 = new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "u");
const pattern7 = new RegExp("^sha256:[0-9a-f]{64}$", "u");

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/settings.schema.json/Acknowledgement" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.type === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "code") || (key0 === "type")) || (key0 === "key")) || (key0 === "digest")) || (key0 === "reason"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/code",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GuardCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((((((((((data0 === "deletes-data") || (data0 === "invalidates-data")) || (data0 === "relabels-data")) || (data0 === "strands-data")) || (data0 === "mass-delete")) || (data0 === "takes-over")) || (data0 === "empties-type")) || (data0 === "leaves-scope")) || (data0 === "takes-ownership")) || (data0 === "protected")) || (data0 === "widens-access")) || (data0 === "overwrites-later"))){
const err4 = {instancePath:instancePath+"/code",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GuardCode/enum",keyword:"enum",params:{allowedValues: schema75.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data1 = data.type;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GuardedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((((((((((data1 === "applicationConsumers") || (data1 === "characteristics")) || (data1 === "characteristicServiceLinks")) || (data1 === "componentModels")) || (data1 === "dataSources")) || (data1 === "eventModels")) || (data1 === "machineUsers")) || (data1 === "metadataTypes")) || (data1 === "services")) || (data1 === "serviceComponentModelLinks")) || (data1 === "organizations")) || (data1 === "users")) || (data1 === "access"))){
const err6 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GuardedType/enum",keyword:"enum",params:{allowedValues: schema76.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.key !== undefined){
let data2 = data.key;
if(typeof data2 === "string"){
if(func2(data2) > 2700){
const err7 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/maxLength",keyword:"maxLength",params:{limit: 2700},message:"must NOT have more than 2700 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func2(data2) < 1){
const err8 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern6.test(data2)){
const err9 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.digest !== undefined){
let data3 = data.digest;
if(typeof data3 === "string"){
if(!pattern7.test(data3)){
const err11 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err13 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema78 = {"type":"object","additionalProperties":false,"required":["type","key"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/RecordType"},"key":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/WrittenKey"}},"$id":"https://holdfast.dev/schemas/settings.schema.json/Protection"};
const schema79 = {"type":"string","enum":["applicationConsumers","characteristics","characteristicServiceLinks","componentModels","dataSources","eventModels","machineUsers","metadataTypes","services","serviceComponentModelLinks","organizations","users"],"$id":"https://holdfast.dev/schemas/settings.schema.json/RecordType"};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/settings.schema.json/Protection" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate57.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((key0 === "type") || (key0 === "key"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/RecordType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users"))){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/RecordType/enum",keyword:"enum",params:{allowedValues: schema79.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.key !== undefined){
let data1 = data.key;
if(typeof data1 === "string"){
if(func2(data1) > 2700){
const err5 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/maxLength",keyword:"maxLength",params:{limit: 2700},message:"must NOT have more than 2700 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(func2(data1) < 1){
const err6 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!pattern6.test(data1)){
const err7 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}
validate57.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema81 = {"type":"object","additionalProperties":false,"required":["type","from","to"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/RecordType"},"from":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/WrittenKey"},"to":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/WrittenKey"}},"$id":"https://holdfast.dev/schemas/settings.schema.json/Move"};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/settings.schema.json/Move" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.from === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "from"},message:"must have required property '"+"from"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.to === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "type") || (key0 === "from")) || (key0 === "to"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/RecordType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users"))){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/RecordType/enum",keyword:"enum",params:{allowedValues: schema79.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.from !== undefined){
let data1 = data.from;
if(typeof data1 === "string"){
if(func2(data1) > 2700){
const err6 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/maxLength",keyword:"maxLength",params:{limit: 2700},message:"must NOT have more than 2700 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func2(data1) < 1){
const err7 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern6.test(data1)){
const err8 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.to !== undefined){
let data2 = data.to;
if(typeof data2 === "string"){
if(func2(data2) > 2700){
const err10 = {instancePath:instancePath+"/to",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/maxLength",keyword:"maxLength",params:{limit: 2700},message:"must NOT have more than 2700 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func2(data2) < 1){
const err11 = {instancePath:instancePath+"/to",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!pattern6.test(data2)){
const err12 = {instancePath:instancePath+"/to",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f]*$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/to",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/WrittenKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema85 = {"type":"object","additionalProperties":false,"required":["role"],"properties":{"role":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Role"},"user":{"type":"string","minLength":1},"machineUser":{"type":"string","minLength":1},"organization":{"type":"string","minLength":1},"everyone":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/Everyone"},"identities":{"$ref":"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities"},"within":{"type":"string","minLength":1},"withinOwnOrganization":{"type":"boolean"}},"$id":"https://holdfast.dev/schemas/settings.schema.json/Grant"};
const schema86 = {"type":"string","enum":["viewer","operator","editor","administrator"],"$id":"https://holdfast.dev/schemas/settings.schema.json/Role"};
const schema87 = {"type":"string","enum":["users","machineUsers"],"$id":"https://holdfast.dev/schemas/settings.schema.json/Everyone"};
const schema88 = {"type":"object","additionalProperties":false,"required":["issuer","clientId","claims"],"properties":{"issuer":{"type":"string","minLength":1},"clientId":{"type":"string","minLength":1},"claims":{"type":"object","minProperties":1}},"$id":"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities"};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/settings.schema.json/Grant" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((((key0 === "role") || (key0 === "user")) || (key0 === "machineUser")) || (key0 === "organization")) || (key0 === "everyone")) || (key0 === "identities")) || (key0 === "within")) || (key0 === "withinOwnOrganization"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/role",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/Role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((((data0 === "viewer") || (data0 === "operator")) || (data0 === "editor")) || (data0 === "administrator"))){
const err3 = {instancePath:instancePath+"/role",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/Role/enum",keyword:"enum",params:{allowedValues: schema86.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.user !== undefined){
let data1 = data.user;
if(typeof data1 === "string"){
if(func2(data1) < 1){
const err4 = {instancePath:instancePath+"/user",schemaPath:"#/properties/user/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/user",schemaPath:"#/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.machineUser !== undefined){
let data2 = data.machineUser;
if(typeof data2 === "string"){
if(func2(data2) < 1){
const err6 = {instancePath:instancePath+"/machineUser",schemaPath:"#/properties/machineUser/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/machineUser",schemaPath:"#/properties/machineUser/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.organization !== undefined){
let data3 = data.organization;
if(typeof data3 === "string"){
if(func2(data3) < 1){
const err8 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.everyone !== undefined){
let data4 = data.everyone;
if(typeof data4 !== "string"){
const err10 = {instancePath:instancePath+"/everyone",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/Everyone/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!((data4 === "users") || (data4 === "machineUsers"))){
const err11 = {instancePath:instancePath+"/everyone",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/Everyone/enum",keyword:"enum",params:{allowedValues: schema87.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.identities !== undefined){
let data5 = data.identities;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.issuer === undefined){
const err12 = {instancePath:instancePath+"/identities",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/required",keyword:"required",params:{missingProperty: "issuer"},message:"must have required property '"+"issuer"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data5.clientId === undefined){
const err13 = {instancePath:instancePath+"/identities",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/required",keyword:"required",params:{missingProperty: "clientId"},message:"must have required property '"+"clientId"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data5.claims === undefined){
const err14 = {instancePath:instancePath+"/identities",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/required",keyword:"required",params:{missingProperty: "claims"},message:"must have required property '"+"claims"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key1 in data5){
if(isFull(vErrors)) break;
if(!(((key1 === "issuer") || (key1 === "clientId")) || (key1 === "claims"))){
const err15 = {instancePath:instancePath+"/identities",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data5.issuer !== undefined){
let data6 = data5.issuer;
if(typeof data6 === "string"){
if(func2(data6) < 1){
const err16 = {instancePath:instancePath+"/identities/issuer",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/issuer/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/identities/issuer",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/issuer/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data5.clientId !== undefined){
let data7 = data5.clientId;
if(typeof data7 === "string"){
if(func2(data7) < 1){
const err18 = {instancePath:instancePath+"/identities/clientId",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/clientId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/identities/clientId",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/clientId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data5.claims !== undefined){
let data8 = data5.claims;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(Object.keys(data8).length < 1){
const err20 = {instancePath:instancePath+"/identities/claims",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/claims/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/identities/claims",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/properties/claims/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/identities",schemaPath:"https://holdfast.dev/schemas/settings.schema.json/GrantedIdentities/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.within !== undefined){
let data9 = data.within;
if(typeof data9 === "string"){
if(func2(data9) < 1){
const err23 = {instancePath:instancePath+"/within",schemaPath:"#/properties/within/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/within",schemaPath:"#/properties/within/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.withinOwnOrganization !== undefined){
if(typeof data.withinOwnOrganization !== "boolean"){
const err25 = {instancePath:instancePath+"/withinOwnOrganization",schemaPath:"#/properties/withinOwnOrganization/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/settings.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "$schema") || (key0 === "owner")) || (key0 === "acknowledge")) || (key0 === "protect")) || (key0 === "moved")) || (key0 === "access"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.$schema !== undefined){
if(typeof data.$schema !== "string"){
const err1 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.owner !== undefined){
let data1 = data.owner;
if(typeof data1 === "string"){
if(!pattern5.test(data1)){
const err2 = {instancePath:instancePath+"/owner",schemaPath:"#/properties/owner/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$"+"\""};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/owner",schemaPath:"#/properties/owner/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.acknowledge !== undefined){
let data2 = data.acknowledge;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate55(data2[i0], {instancePath:instancePath+"/acknowledge/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/acknowledge",schemaPath:"#/properties/acknowledge/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.protect !== undefined){
let data4 = data.protect;
if(Array.isArray(data4)){
const len1 = data4.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate57(data4[i1], {instancePath:instancePath+"/protect/" + i1,parentData:data4,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/protect",schemaPath:"#/properties/protect/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.moved !== undefined){
let data6 = data.moved;
if(Array.isArray(data6)){
const len2 = data6.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(!(validate59(data6[i2], {instancePath:instancePath+"/moved/" + i2,parentData:data6,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/moved",schemaPath:"#/properties/moved/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.access !== undefined){
let data8 = data.access;
if(Array.isArray(data8)){
const len3 = data8.length;
for(let i3=0; i3<len3 && !isFull(vErrors); i3++){
if(!(validate61(data8[i3], {instancePath:instancePath+"/access/" + i3,parentData:data8,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
}
}
else {
const err7 = {instancePath:instancePath+"/access",schemaPath:"#/properties/access/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

exports.plan = validate63;
const schema89 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://holdfast.dev/schemas/plan.schema.json","type":"object","additionalProperties":false,"required":["formatVersion","domain","digest","outcome","summary","scope","changes","access","references","diagnostics"],"properties":{"formatVersion":{"type":"integer","const":1},"domain":{"type":"string"},"digest":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},"outcome":{"type":"string","enum":["changes","no-changes","blocked"]},"summary":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Summary"},"scope":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/ScopeRow"}},"changes":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Change"}},"access":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/AccessPlan"},"references":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlanReference"}},"diagnostics":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Diagnostic"}},"notCompared":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/NotCompared"}},"drift":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/FieldDrift"}},"settlesDrift":{"type":"boolean","const":true},"withheld":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Withheld"}},"breaks":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/ClientBreaks"},"own":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/OwnPart"}}};
const schema90 = {"type":"string","pattern":"^sha256:[0-9a-f]{64}$","$id":"https://holdfast.dev/schemas/plan.schema.json/Digest"};
const schema91 = {"type":"object","additionalProperties":false,"required":["create","update","delete","move","unchanged","unmanagedTypes"],"properties":{"create":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"update":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"delete":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"move":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"unchanged":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"notCompared":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"unmanagedTypes":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Summary"};
const schema92 = {"type":"integer","minimum":0,"$id":"https://holdfast.dev/schemas/plan.schema.json/Count"};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Summary" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate64.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.create === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "create"},message:"must have required property '"+"create"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.update === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "update"},message:"must have required property '"+"update"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.delete === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "delete"},message:"must have required property '"+"delete"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.move === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "move"},message:"must have required property '"+"move"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.unchanged === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "unchanged"},message:"must have required property '"+"unchanged"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.unmanagedTypes === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "unmanagedTypes"},message:"must have required property '"+"unmanagedTypes"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((((key0 === "create") || (key0 === "update")) || (key0 === "delete")) || (key0 === "move")) || (key0 === "unchanged")) || (key0 === "notCompared")) || (key0 === "unmanagedTypes"))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.create !== undefined){
let data0 = data.create;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err7 = {instancePath:instancePath+"/create",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err8 = {instancePath:instancePath+"/create",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.update !== undefined){
let data1 = data.update;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err9 = {instancePath:instancePath+"/update",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err10 = {instancePath:instancePath+"/update",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.delete !== undefined){
let data2 = data.delete;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err11 = {instancePath:instancePath+"/delete",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err12 = {instancePath:instancePath+"/delete",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data.move !== undefined){
let data3 = data.move;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/move",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/move",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data.unchanged !== undefined){
let data4 = data.unchanged;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err15 = {instancePath:instancePath+"/unchanged",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err16 = {instancePath:instancePath+"/unchanged",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
if(data.notCompared !== undefined){
let data5 = data.notCompared;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err17 = {instancePath:instancePath+"/notCompared",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err18 = {instancePath:instancePath+"/notCompared",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
if(data.unmanagedTypes !== undefined){
let data6 = data.unmanagedTypes;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err19 = {instancePath:instancePath+"/unmanagedTypes",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
const err20 = {instancePath:instancePath+"/unmanagedTypes",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
}
else {
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate64.errors = vErrors;
return errors === 0;
}
validate64.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema99 = {"type":"object","additionalProperties":false,"required":["type","state","previously","files","desired","actual","guards"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordType"},"state":{"type":"string","enum":["managed","unmanaged","emptied","released"]},"previously":{"type":["string","null"],"enum":["managed","partial",null]},"managedBy":{"type":"string","minLength":1},"owners":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"untouched":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"files":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"desired":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"actual":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"live":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"guards":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Guard"}}},"$id":"https://holdfast.dev/schemas/plan.schema.json/ScopeRow"};
const schema100 = {"type":"string","enum":["applicationConsumers","characteristics","characteristicServiceLinks","componentModels","dataSources","eventModels","machineUsers","metadataTypes","services","serviceComponentModelLinks","organizations","users"],"$id":"https://holdfast.dev/schemas/plan.schema.json/RecordType"};
const schema107 = {"type":"object","additionalProperties":false,"required":["code","acknowledged","message"],"properties":{"code":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/GuardCode"},"acknowledged":{"type":"boolean"},"message":{"type":"string"},"examples":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/StoredExample"}}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Guard"};
const schema108 = {"type":"string","enum":["deletes-data","invalidates-data","relabels-data","strands-data","mass-delete","takes-over","empties-type","leaves-scope","takes-ownership","protected","widens-access","overwrites-later"],"$id":"https://holdfast.dev/schemas/plan.schema.json/GuardCode"};
const schema109 = {"type":"object","additionalProperties":false,"required":["at","value","system","component"],"properties":{"at":{"type":"string","format":"date-time"},"value":{"type":"string"},"system":{"type":"string"},"component":{"type":"string"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/StoredExample"};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Guard" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.acknowledged === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "acknowledged"},message:"must have required property '"+"acknowledged"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.message === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((key0 === "code") || (key0 === "acknowledged")) || (key0 === "message")) || (key0 === "examples"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/code",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/GuardCode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((((((((((data0 === "deletes-data") || (data0 === "invalidates-data")) || (data0 === "relabels-data")) || (data0 === "strands-data")) || (data0 === "mass-delete")) || (data0 === "takes-over")) || (data0 === "empties-type")) || (data0 === "leaves-scope")) || (data0 === "takes-ownership")) || (data0 === "protected")) || (data0 === "widens-access")) || (data0 === "overwrites-later"))){
const err5 = {instancePath:instancePath+"/code",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/GuardCode/enum",keyword:"enum",params:{allowedValues: schema108.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.acknowledged !== undefined){
if(typeof data.acknowledged !== "boolean"){
const err6 = {instancePath:instancePath+"/acknowledged",schemaPath:"#/properties/acknowledged/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err7 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.examples !== undefined){
let data3 = data.examples;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.at === undefined){
const err8 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data4.value === undefined){
const err9 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data4.system === undefined){
const err10 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/required",keyword:"required",params:{missingProperty: "system"},message:"must have required property '"+"system"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data4.component === undefined){
const err11 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/required",keyword:"required",params:{missingProperty: "component"},message:"must have required property '"+"component"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
for(const key1 in data4){
if(isFull(vErrors)) break;
if(!((((key1 === "at") || (key1 === "value")) || (key1 === "system")) || (key1 === "component"))){
const err12 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data4.at !== undefined){
let data5 = data4.at;
if(typeof data5 === "string"){
if(!(formats4.validate(data5))){
const err13 = {instancePath:instancePath+"/examples/" + i0+"/at",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/properties/at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/examples/" + i0+"/at",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/properties/at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data4.value !== undefined){
if(typeof data4.value !== "string"){
const err15 = {instancePath:instancePath+"/examples/" + i0+"/value",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data4.system !== undefined){
if(typeof data4.system !== "string"){
const err16 = {instancePath:instancePath+"/examples/" + i0+"/system",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/properties/system/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.component !== undefined){
if(typeof data4.component !== "string"){
const err17 = {instancePath:instancePath+"/examples/" + i0+"/component",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/properties/component/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/examples/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/StoredExample/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/examples",schemaPath:"#/properties/examples/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/ScopeRow" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.state === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.previously === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "previously"},message:"must have required property '"+"previously"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.files === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "files"},message:"must have required property '"+"files"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.desired === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "desired"},message:"must have required property '"+"desired"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.actual === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "actual"},message:"must have required property '"+"actual"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.guards === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "guards"},message:"must have required property '"+"guards"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema99.properties, key0))){
const err7 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err8 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users"))){
const err9 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/enum",keyword:"enum",params:{allowedValues: schema100.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.state !== undefined){
let data1 = data.state;
if(typeof data1 !== "string"){
const err10 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!((((data1 === "managed") || (data1 === "unmanaged")) || (data1 === "emptied")) || (data1 === "released"))){
const err11 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/enum",keyword:"enum",params:{allowedValues: schema99.properties.state.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.previously !== undefined){
let data2 = data.previously;
if((typeof data2 !== "string") && (data2 !== null)){
const err12 = {instancePath:instancePath+"/previously",schemaPath:"#/properties/previously/type",keyword:"type",params:{type: schema99.properties.previously.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!(((data2 === "managed") || (data2 === "partial")) || (data2 === null))){
const err13 = {instancePath:instancePath+"/previously",schemaPath:"#/properties/previously/enum",keyword:"enum",params:{allowedValues: schema99.properties.previously.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.managedBy !== undefined){
let data3 = data.managedBy;
if(typeof data3 === "string"){
if(func2(data3) < 1){
const err14 = {instancePath:instancePath+"/managedBy",schemaPath:"#/properties/managedBy/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/managedBy",schemaPath:"#/properties/managedBy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.owners !== undefined){
let data4 = data.owners;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err16 = {instancePath:instancePath+"/owners",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err17 = {instancePath:instancePath+"/owners",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
if(data.untouched !== undefined){
let data5 = data.untouched;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err18 = {instancePath:instancePath+"/untouched",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err19 = {instancePath:instancePath+"/untouched",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
if(data.files !== undefined){
let data6 = data.files;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err20 = {instancePath:instancePath+"/files",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
const err21 = {instancePath:instancePath+"/files",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(data.desired !== undefined){
let data7 = data.desired;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err22 = {instancePath:instancePath+"/desired",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
const err23 = {instancePath:instancePath+"/desired",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
if(data.actual !== undefined){
let data8 = data.actual;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err24 = {instancePath:instancePath+"/actual",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err25 = {instancePath:instancePath+"/actual",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
if(data.live !== undefined){
let data9 = data.live;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err26 = {instancePath:instancePath+"/live",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
const err27 = {instancePath:instancePath+"/live",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
if(data.guards !== undefined){
let data10 = data.guards;
if(Array.isArray(data10)){
const len0 = data10.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate67(data10[i0], {instancePath:instancePath+"/guards/" + i0,parentData:data10,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
}
}
else {
const err28 = {instancePath:instancePath+"/guards",schemaPath:"#/properties/guards/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema110 = {"type":"object","additionalProperties":false,"required":["type","key","action","cause","patch","before","after","beforeDigest","afterDigest","impact","guards"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"action":{"type":"string","enum":["create","update","delete","move"]},"from":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"cause":{"type":"string","enum":["you","drift","both"]},"drift":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Drift"},"source":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/SourcePosition"},"patch":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PatchOperation"}},"before":{"type":["object","null"],"additionalProperties":true},"after":{"type":["object","null"],"additionalProperties":true},"beforeDigest":{"anyOf":[{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},{"type":"null"}]},"afterDigest":{"anyOf":[{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},{"type":"null"}]},"secret":{"type":"string","enum":["changed","generated","no longer generated","unchanged","not compared"]},"reason":{"type":"string"},"referrers":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Referrer"}},"impact":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Impact"},"guards":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Guard"}}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Change"};
const schema111 = {"type":"string","enum":["applicationConsumers","characteristics","characteristicServiceLinks","componentModels","dataSources","eventModels","machineUsers","metadataTypes","services","serviceComponentModelLinks","organizations","users","access"],"$id":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"};
const schema112 = {"type":"string","$id":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"};
const schema114 = {"type":"object","additionalProperties":false,"required":["actor","at"],"properties":{"actor":{"type":"string"},"at":{"type":"string","format":"date-time"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Drift"};
const schema115 = {"type":"object","additionalProperties":false,"required":["file","line","column"],"properties":{"file":{"type":"string"},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1}},"$id":"https://holdfast.dev/schemas/plan.schema.json/SourcePosition"};
const schema116 = {"type":"object","additionalProperties":false,"required":["op","path"],"properties":{"op":{"type":"string","enum":["add","remove","replace"]},"path":{"type":"string"},"value":{}},"$id":"https://holdfast.dev/schemas/plan.schema.json/PatchOperation"};
const schema119 = {"type":"object","additionalProperties":false,"required":["type","key"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Referrer"};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Referrer" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((key0 === "type") || (key0 === "key"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err5 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema122 = {"type":"object","additionalProperties":false,"properties":{"systems":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"components":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"datapoints":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"events":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"setpoints":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"users":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Impact"};

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Impact" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "systems") || (key0 === "components")) || (key0 === "datapoints")) || (key0 === "events")) || (key0 === "setpoints")) || (key0 === "users"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.systems !== undefined){
let data0 = data.systems;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/systems",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/systems",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
if(data.components !== undefined){
let data1 = data.components;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err3 = {instancePath:instancePath+"/components",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/components",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.datapoints !== undefined){
let data2 = data.datapoints;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err5 = {instancePath:instancePath+"/datapoints",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/datapoints",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.events !== undefined){
let data3 = data.events;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/events",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/events",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.setpoints !== undefined){
let data4 = data.setpoints;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/setpoints",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err10 = {instancePath:instancePath+"/setpoints",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.users !== undefined){
let data5 = data.users;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err11 = {instancePath:instancePath+"/users",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err12 = {instancePath:instancePath+"/users",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Change" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.action === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "action"},message:"must have required property '"+"action"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.cause === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "cause"},message:"must have required property '"+"cause"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.patch === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "patch"},message:"must have required property '"+"patch"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.before === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "before"},message:"must have required property '"+"before"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.after === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "after"},message:"must have required property '"+"after"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.beforeDigest === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "beforeDigest"},message:"must have required property '"+"beforeDigest"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.afterDigest === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "afterDigest"},message:"must have required property '"+"afterDigest"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.impact === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "impact"},message:"must have required property '"+"impact"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.guards === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "guards"},message:"must have required property '"+"guards"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema110.properties, key0))){
const err11 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err12 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err13 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err14 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.action !== undefined){
let data2 = data.action;
if(typeof data2 !== "string"){
const err15 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!((((data2 === "create") || (data2 === "update")) || (data2 === "delete")) || (data2 === "move"))){
const err16 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/enum",keyword:"enum",params:{allowedValues: schema110.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.from !== undefined){
if(typeof data.from !== "string"){
const err17 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.cause !== undefined){
let data4 = data.cause;
if(typeof data4 !== "string"){
const err18 = {instancePath:instancePath+"/cause",schemaPath:"#/properties/cause/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!(((data4 === "you") || (data4 === "drift")) || (data4 === "both"))){
const err19 = {instancePath:instancePath+"/cause",schemaPath:"#/properties/cause/enum",keyword:"enum",params:{allowedValues: schema110.properties.cause.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.drift !== undefined){
let data5 = data.drift;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.actor === undefined){
const err20 = {instancePath:instancePath+"/drift",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/required",keyword:"required",params:{missingProperty: "actor"},message:"must have required property '"+"actor"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data5.at === undefined){
const err21 = {instancePath:instancePath+"/drift",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
for(const key1 in data5){
if(isFull(vErrors)) break;
if(!((key1 === "actor") || (key1 === "at"))){
const err22 = {instancePath:instancePath+"/drift",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data5.actor !== undefined){
if(typeof data5.actor !== "string"){
const err23 = {instancePath:instancePath+"/drift/actor",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/properties/actor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data5.at !== undefined){
let data7 = data5.at;
if(typeof data7 === "string"){
if(!(formats4.validate(data7))){
const err24 = {instancePath:instancePath+"/drift/at",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/properties/at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/drift/at",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/properties/at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/drift",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Drift/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.source !== undefined){
let data8 = data.source;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.file === undefined){
const err27 = {instancePath:instancePath+"/source",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/required",keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data8.line === undefined){
const err28 = {instancePath:instancePath+"/source",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/required",keyword:"required",params:{missingProperty: "line"},message:"must have required property '"+"line"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data8.column === undefined){
const err29 = {instancePath:instancePath+"/source",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/required",keyword:"required",params:{missingProperty: "column"},message:"must have required property '"+"column"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
for(const key2 in data8){
if(isFull(vErrors)) break;
if(!(((key2 === "file") || (key2 === "line")) || (key2 === "column"))){
const err30 = {instancePath:instancePath+"/source",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data8.file !== undefined){
if(typeof data8.file !== "string"){
const err31 = {instancePath:instancePath+"/source/file",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/properties/file/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data8.line !== undefined){
let data10 = data8.line;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err32 = {instancePath:instancePath+"/source/line",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/properties/line/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 1 || isNaN(data10)){
const err33 = {instancePath:instancePath+"/source/line",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/properties/line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
if(data8.column !== undefined){
let data11 = data8.column;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err34 = {instancePath:instancePath+"/source/column",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/properties/column/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
const err35 = {instancePath:instancePath+"/source/column",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/properties/column/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
}
else {
const err36 = {instancePath:instancePath+"/source",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/SourcePosition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.patch !== undefined){
let data12 = data.patch;
if(Array.isArray(data12)){
const len0 = data12.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data13 = data12[i0];
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(data13.op === undefined){
const err37 = {instancePath:instancePath+"/patch/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/required",keyword:"required",params:{missingProperty: "op"},message:"must have required property '"+"op"+"'"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data13.path === undefined){
const err38 = {instancePath:instancePath+"/patch/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
for(const key3 in data13){
if(isFull(vErrors)) break;
if(!(((key3 === "op") || (key3 === "path")) || (key3 === "value"))){
const err39 = {instancePath:instancePath+"/patch/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data13.op !== undefined){
let data14 = data13.op;
if(typeof data14 !== "string"){
const err40 = {instancePath:instancePath+"/patch/" + i0+"/op",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/properties/op/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(!(((data14 === "add") || (data14 === "remove")) || (data14 === "replace"))){
const err41 = {instancePath:instancePath+"/patch/" + i0+"/op",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/properties/op/enum",keyword:"enum",params:{allowedValues: schema116.properties.op.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data13.path !== undefined){
if(typeof data13.path !== "string"){
const err42 = {instancePath:instancePath+"/patch/" + i0+"/path",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/patch/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PatchOperation/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/patch",schemaPath:"#/properties/patch/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data.before !== undefined){
let data16 = data.before;
if((!(data16 && typeof data16 == "object" && !Array.isArray(data16))) && (data16 !== null)){
const err45 = {instancePath:instancePath+"/before",schemaPath:"#/properties/before/type",keyword:"type",params:{type: schema110.properties.before.type},message:"must be object,null"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data.after !== undefined){
let data17 = data.after;
if((!(data17 && typeof data17 == "object" && !Array.isArray(data17))) && (data17 !== null)){
const err46 = {instancePath:instancePath+"/after",schemaPath:"#/properties/after/type",keyword:"type",params:{type: schema110.properties.after.type},message:"must be object,null"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.beforeDigest !== undefined){
let data18 = data.beforeDigest;
const _errs50 = errors;
let valid12 = false;
const _errs51 = errors;
if(typeof data18 === "string"){
if(!pattern7.test(data18)){
const err47 = {instancePath:instancePath+"/beforeDigest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/beforeDigest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
var _valid0 = _errs51 === errors;
valid12 = valid12 || _valid0;
const _errs54 = errors;
if(data18 !== null){
const err49 = {instancePath:instancePath+"/beforeDigest",schemaPath:"#/properties/beforeDigest/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
var _valid0 = _errs54 === errors;
valid12 = valid12 || _valid0;
if(!valid12){
const err50 = {instancePath:instancePath+"/beforeDigest",schemaPath:"#/properties/beforeDigest/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
else {
errors = _errs50;
if(vErrors !== null){
if(_errs50){
vErrors.length = _errs50;
}
else {
vErrors = null;
}
}
}
}
if(data.afterDigest !== undefined){
let data19 = data.afterDigest;
const _errs57 = errors;
let valid14 = false;
const _errs58 = errors;
if(typeof data19 === "string"){
if(!pattern7.test(data19)){
const err51 = {instancePath:instancePath+"/afterDigest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/afterDigest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
var _valid1 = _errs58 === errors;
valid14 = valid14 || _valid1;
const _errs61 = errors;
if(data19 !== null){
const err53 = {instancePath:instancePath+"/afterDigest",schemaPath:"#/properties/afterDigest/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
var _valid1 = _errs61 === errors;
valid14 = valid14 || _valid1;
if(!valid14){
const err54 = {instancePath:instancePath+"/afterDigest",schemaPath:"#/properties/afterDigest/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
else {
errors = _errs57;
if(vErrors !== null){
if(_errs57){
vErrors.length = _errs57;
}
else {
vErrors = null;
}
}
}
}
if(data.secret !== undefined){
let data20 = data.secret;
if(typeof data20 !== "string"){
const err55 = {instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(!(((((data20 === "changed") || (data20 === "generated")) || (data20 === "no longer generated")) || (data20 === "unchanged")) || (data20 === "not compared"))){
const err56 = {instancePath:instancePath+"/secret",schemaPath:"#/properties/secret/enum",keyword:"enum",params:{allowedValues: schema110.properties.secret.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err57 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.referrers !== undefined){
let data22 = data.referrers;
if(Array.isArray(data22)){
const len1 = data22.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate71(data22[i1], {instancePath:instancePath+"/referrers/" + i1,parentData:data22,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
}
}
else {
const err58 = {instancePath:instancePath+"/referrers",schemaPath:"#/properties/referrers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.impact !== undefined){
if(!(validate73(data.impact, {instancePath:instancePath+"/impact",parentData:data,parentDataProperty:"impact",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
}
if(data.guards !== undefined){
let data25 = data.guards;
if(Array.isArray(data25)){
const len2 = data25.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(!(validate67(data25[i2], {instancePath:instancePath+"/guards/" + i2,parentData:data25,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
}
}
else {
const err59 = {instancePath:instancePath+"/guards",schemaPath:"#/properties/guards/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
}
else {
const err60 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema129 = {"type":"object","additionalProperties":false,"required":["state","previously","desired","actual","guards","changes"],"properties":{"state":{"type":"string","enum":["managed","unmanaged","emptied","released"]},"previously":{"type":["string","null"],"enum":["managed","partial",null]},"managedBy":{"type":"string","minLength":1},"desired":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"actual":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"live":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"guards":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Guard"}},"changes":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Change"}},"diff":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/AccessDiff"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/AccessPlan"};
const schema133 = {"type":"object","additionalProperties":false,"required":["changes"],"properties":{"digest":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},"changes":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/AccessDifference"}},"withheld":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/AccessDiff"};
const schema135 = {"type":"object","additionalProperties":false,"required":["type","gains","loses","because","message"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"count":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"gains":{"type":"array","items":{"type":"string"}},"loses":{"type":"array","items":{"type":"string"}},"because":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Referrer"}},"message":{"type":"string"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/AccessDifference"};

function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/AccessDifference" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate81.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.gains === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "gains"},message:"must have required property '"+"gains"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.loses === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "loses"},message:"must have required property '"+"loses"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.because === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "because"},message:"must have required property '"+"because"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.message === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((((key0 === "type") || (key0 === "key")) || (key0 === "count")) || (key0 === "gains")) || (key0 === "loses")) || (key0 === "because")) || (key0 === "message"))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err6 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err7 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err8 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.count !== undefined){
let data2 = data.count;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err9 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err10 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.gains !== undefined){
let data3 = data.gains;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(typeof data3[i0] !== "string"){
const err11 = {instancePath:instancePath+"/gains/" + i0,schemaPath:"#/properties/gains/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/gains",schemaPath:"#/properties/gains/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.loses !== undefined){
let data5 = data.loses;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(typeof data5[i1] !== "string"){
const err13 = {instancePath:instancePath+"/loses/" + i1,schemaPath:"#/properties/loses/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/loses",schemaPath:"#/properties/loses/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.because !== undefined){
let data7 = data.because;
if(Array.isArray(data7)){
const len2 = data7.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(!(validate71(data7[i2], {instancePath:instancePath+"/because/" + i2,parentData:data7,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
}
}
else {
const err15 = {instancePath:instancePath+"/because",schemaPath:"#/properties/because/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err16 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate81.errors = vErrors;
return errors === 0;
}
validate81.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate80(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/AccessDiff" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate80.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.changes === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "changes"},message:"must have required property '"+"changes"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "digest") || (key0 === "changes")) || (key0 === "withheld"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.digest !== undefined){
let data0 = data.digest;
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
const err2 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.changes !== undefined){
let data1 = data.changes;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate81(data1[i0], {instancePath:instancePath+"/changes/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/changes",schemaPath:"#/properties/changes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.withheld !== undefined){
let data3 = data.withheld;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err5 = {instancePath:instancePath+"/withheld",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/withheld",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate80.errors = vErrors;
return errors === 0;
}
validate80.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/AccessPlan" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.state === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.previously === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "previously"},message:"must have required property '"+"previously"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.desired === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "desired"},message:"must have required property '"+"desired"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.actual === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "actual"},message:"must have required property '"+"actual"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.guards === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "guards"},message:"must have required property '"+"guards"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.changes === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "changes"},message:"must have required property '"+"changes"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema129.properties, key0))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.state !== undefined){
let data0 = data.state;
if(typeof data0 !== "string"){
const err7 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((((data0 === "managed") || (data0 === "unmanaged")) || (data0 === "emptied")) || (data0 === "released"))){
const err8 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/enum",keyword:"enum",params:{allowedValues: schema129.properties.state.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.previously !== undefined){
let data1 = data.previously;
if((typeof data1 !== "string") && (data1 !== null)){
const err9 = {instancePath:instancePath+"/previously",schemaPath:"#/properties/previously/type",keyword:"type",params:{type: schema129.properties.previously.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!(((data1 === "managed") || (data1 === "partial")) || (data1 === null))){
const err10 = {instancePath:instancePath+"/previously",schemaPath:"#/properties/previously/enum",keyword:"enum",params:{allowedValues: schema129.properties.previously.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.managedBy !== undefined){
let data2 = data.managedBy;
if(typeof data2 === "string"){
if(func2(data2) < 1){
const err11 = {instancePath:instancePath+"/managedBy",schemaPath:"#/properties/managedBy/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/managedBy",schemaPath:"#/properties/managedBy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.desired !== undefined){
let data3 = data.desired;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/desired",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/desired",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data.actual !== undefined){
let data4 = data.actual;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err15 = {instancePath:instancePath+"/actual",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err16 = {instancePath:instancePath+"/actual",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
if(data.live !== undefined){
let data5 = data.live;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err17 = {instancePath:instancePath+"/live",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err18 = {instancePath:instancePath+"/live",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
if(data.guards !== undefined){
let data6 = data.guards;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate67(data6[i0], {instancePath:instancePath+"/guards/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
}
}
else {
const err19 = {instancePath:instancePath+"/guards",schemaPath:"#/properties/guards/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.changes !== undefined){
let data8 = data.changes;
if(Array.isArray(data8)){
const len1 = data8.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate70(data8[i1], {instancePath:instancePath+"/changes/" + i1,parentData:data8,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
else {
const err20 = {instancePath:instancePath+"/changes",schemaPath:"#/properties/changes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.diff !== undefined){
if(!(validate80(data.diff, {instancePath:instancePath+"/diff",parentData:data,parentDataProperty:"diff",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate80.errors : vErrors.concat(validate80.errors);
errors = vErrors.length;
}
}
}
else {
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema140 = {"type":"object","additionalProperties":false,"required":["type","key","digest"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"digest":{"anyOf":[{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},{"type":"null"}]}},"$id":"https://holdfast.dev/schemas/plan.schema.json/PlanReference"};

function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/PlanReference" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate86.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.digest === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "digest"},message:"must have required property '"+"digest"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((key0 === "type") || (key0 === "key")) || (key0 === "digest"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users"))){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/enum",keyword:"enum",params:{allowedValues: schema100.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err6 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.digest !== undefined){
let data2 = data.digest;
const _errs9 = errors;
let valid3 = false;
const _errs10 = errors;
if(typeof data2 === "string"){
if(!pattern7.test(data2)){
const err7 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid0 = _errs10 === errors;
valid3 = valid3 || _valid0;
const _errs13 = errors;
if(data2 !== null){
const err9 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid3 = valid3 || _valid0;
if(!valid3){
const err10 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate86.errors = vErrors;
return errors === 0;
}
validate86.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema144 = {"type":"object","additionalProperties":false,"required":["severity","code","message","pointer"],"properties":{"severity":{"type":"string","enum":["error","warning"]},"code":{"type":"string"},"message":{"type":"string"},"file":{"type":"string"},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"pointer":{"type":"string"},"related":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace"}}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Diagnostic"};
const schema145 = {"type":"object","additionalProperties":false,"required":["pointer"],"properties":{"file":{"type":"string"},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"pointer":{"type":"string"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace"};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Diagnostic" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.severity === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "severity"},message:"must have required property '"+"severity"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.code === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.message === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.pointer === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((((key0 === "severity") || (key0 === "code")) || (key0 === "message")) || (key0 === "file")) || (key0 === "line")) || (key0 === "column")) || (key0 === "pointer")) || (key0 === "related"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.severity !== undefined){
let data0 = data.severity;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/severity",schemaPath:"#/properties/severity/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((data0 === "error") || (data0 === "warning"))){
const err6 = {instancePath:instancePath+"/severity",schemaPath:"#/properties/severity/enum",keyword:"enum",params:{allowedValues: schema144.properties.severity.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.code !== undefined){
if(typeof data.code !== "string"){
const err7 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err8 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.file !== undefined){
if(typeof data.file !== "string"){
const err9 = {instancePath:instancePath+"/file",schemaPath:"#/properties/file/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.line !== undefined){
let data4 = data.line;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/line",schemaPath:"#/properties/line/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 1 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/line",schemaPath:"#/properties/line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
if(data.column !== undefined){
let data5 = data.column;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err12 = {instancePath:instancePath+"/column",schemaPath:"#/properties/column/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 1 || isNaN(data5)){
const err13 = {instancePath:instancePath+"/column",schemaPath:"#/properties/column/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
if(data.pointer !== undefined){
if(typeof data.pointer !== "string"){
const err14 = {instancePath:instancePath+"/pointer",schemaPath:"#/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.related !== undefined){
let data7 = data.related;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data8 = data7[i0];
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.pointer === undefined){
const err15 = {instancePath:instancePath+"/related/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
for(const key1 in data8){
if(isFull(vErrors)) break;
if(!((((key1 === "file") || (key1 === "line")) || (key1 === "column")) || (key1 === "pointer"))){
const err16 = {instancePath:instancePath+"/related/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data8.file !== undefined){
if(typeof data8.file !== "string"){
const err17 = {instancePath:instancePath+"/related/" + i0+"/file",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/file/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data8.line !== undefined){
let data10 = data8.line;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err18 = {instancePath:instancePath+"/related/" + i0+"/line",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/line/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 1 || isNaN(data10)){
const err19 = {instancePath:instancePath+"/related/" + i0+"/line",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
if(data8.column !== undefined){
let data11 = data8.column;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err20 = {instancePath:instancePath+"/related/" + i0+"/column",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/column/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
const err21 = {instancePath:instancePath+"/related/" + i0+"/column",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/column/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(data8.pointer !== undefined){
if(typeof data8.pointer !== "string"){
const err22 = {instancePath:instancePath+"/related/" + i0+"/pointer",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/related/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RelatedPlace/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath:instancePath+"/related",schemaPath:"#/properties/related/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
validate88.errors = vErrors;
return errors === 0;
}
validate88.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema146 = {"type":"object","additionalProperties":false,"required":["type","key","field","reason"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"field":{"type":"string"},"reason":{"type":"string","enum":["not-resolved","still-generated","too-many-guesses","no-platform"]}},"$id":"https://holdfast.dev/schemas/plan.schema.json/NotCompared"};

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/NotCompared" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.field === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "field"},message:"must have required property '"+"field"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.reason === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "reason"},message:"must have required property '"+"reason"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((key0 === "type") || (key0 === "key")) || (key0 === "field")) || (key0 === "reason"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users"))){
const err6 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordType/enum",keyword:"enum",params:{allowedValues: schema100.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err7 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.field !== undefined){
if(typeof data.field !== "string"){
const err8 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.reason !== undefined){
let data3 = data.reason;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((((data3 === "not-resolved") || (data3 === "still-generated")) || (data3 === "too-many-guesses")) || (data3 === "no-platform"))){
const err10 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/enum",keyword:"enum",params:{allowedValues: schema146.properties.reason.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema149 = {"type":"object","additionalProperties":false,"required":["type","key","field"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"field":{"type":"string"},"before":{},"after":{},"actor":{"type":"string"},"at":{"type":"string","format":"date-time"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/FieldDrift"};

function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/FieldDrift" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate92.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.field === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "field"},message:"must have required property '"+"field"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((((key0 === "type") || (key0 === "key")) || (key0 === "field")) || (key0 === "before")) || (key0 === "after")) || (key0 === "actor")) || (key0 === "at"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err6 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.field !== undefined){
if(typeof data.field !== "string"){
const err7 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.actor !== undefined){
if(typeof data.actor !== "string"){
const err8 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.at !== undefined){
let data4 = data.at;
if(typeof data4 === "string"){
if(!(formats4.validate(data4))){
const err9 = {instancePath:instancePath+"/at",schemaPath:"#/properties/at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/at",schemaPath:"#/properties/at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate92.errors = vErrors;
return errors === 0;
}
validate92.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema152 = {"type":"object","additionalProperties":false,"required":["type","action","count","stopped"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"action":{"type":"string","enum":["create","update","delete","move"]},"count":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"stopped":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/Withheld"};

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/Withheld" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate94.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.action === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "action"},message:"must have required property '"+"action"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.count === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "count"},message:"must have required property '"+"count"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.stopped === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stopped"},message:"must have required property '"+"stopped"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((key0 === "type") || (key0 === "action")) || (key0 === "count")) || (key0 === "stopped"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err6 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.action !== undefined){
let data1 = data.action;
if(typeof data1 !== "string"){
const err7 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((((data1 === "create") || (data1 === "update")) || (data1 === "delete")) || (data1 === "move"))){
const err8 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/enum",keyword:"enum",params:{allowedValues: schema152.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.count !== undefined){
let data2 = data.count;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err9 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err10 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.stopped !== undefined){
let data3 = data.stopped;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err11 = {instancePath:instancePath+"/stopped",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err12 = {instancePath:instancePath+"/stopped",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate94.errors = vErrors;
return errors === 0;
}
validate94.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema156 = {"type":"object","additionalProperties":false,"required":["count","members"],"properties":{"count":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"members":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/ClientBreak"}}},"$id":"https://holdfast.dev/schemas/plan.schema.json/ClientBreaks"};
const schema158 = {"type":"object","additionalProperties":false,"required":["type","keys","change"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"keys":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"}},"count":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"member":{"type":"string"},"change":{"type":"string"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/ClientBreak"};

function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/ClientBreak" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate97.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.keys === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "keys"},message:"must have required property '"+"keys"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.change === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "change"},message:"must have required property '"+"change"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "type") || (key0 === "keys")) || (key0 === "count")) || (key0 === "member")) || (key0 === "change"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.keys !== undefined){
let data1 = data.keys;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(typeof data1[i0] !== "string"){
const err6 = {instancePath:instancePath+"/keys/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.count !== undefined){
let data3 = data.count;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.member !== undefined){
if(typeof data.member !== "string"){
const err10 = {instancePath:instancePath+"/member",schemaPath:"#/properties/member/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.change !== undefined){
if(typeof data.change !== "string"){
const err11 = {instancePath:instancePath+"/change",schemaPath:"#/properties/change/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate97.errors = vErrors;
return errors === 0;
}
validate97.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate96(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/ClientBreaks" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate96.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.count === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "count"},message:"must have required property '"+"count"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.members === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "members"},message:"must have required property '"+"members"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((key0 === "count") || (key0 === "members"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.count !== undefined){
let data0 = data.count;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.members !== undefined){
let data1 = data.members;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate97(data1[i0], {instancePath:instancePath+"/members/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate96.errors = vErrors;
return errors === 0;
}
validate96.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema162 = {"type":"object","additionalProperties":false,"required":["scope","waiting","waitsFor","drifted"],"properties":{"scope":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"}},"waiting":{"type":"object","additionalProperties":false,"required":["count","records"],"properties":{"count":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"records":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/WaitingChange"}}}},"waitsFor":{"type":"array","items":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/WaitingRecord"}},"drifted":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"notCompared":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"},"done":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Count"}},"$id":"https://holdfast.dev/schemas/plan.schema.json/OwnPart"};
const schema165 = {"type":"object","additionalProperties":false,"required":["type","key","action"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"from":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"action":{"type":"string","enum":["create","update","delete","move"]},"pullRequest":{"type":"string","minLength":1}},"$id":"https://holdfast.dev/schemas/plan.schema.json/WaitingChange"};

function validate101(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/WaitingChange" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate101.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.action === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "action"},message:"must have required property '"+"action"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(((((key0 === "type") || (key0 === "key")) || (key0 === "from")) || (key0 === "action")) || (key0 === "pullRequest"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err6 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.from !== undefined){
if(typeof data.from !== "string"){
const err7 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.action !== undefined){
let data3 = data.action;
if(typeof data3 !== "string"){
const err8 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!((((data3 === "create") || (data3 === "update")) || (data3 === "delete")) || (data3 === "move"))){
const err9 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/enum",keyword:"enum",params:{allowedValues: schema165.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.pullRequest !== undefined){
let data4 = data.pullRequest;
if(typeof data4 === "string"){
if(func2(data4) < 1){
const err10 = {instancePath:instancePath+"/pullRequest",schemaPath:"#/properties/pullRequest/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/pullRequest",schemaPath:"#/properties/pullRequest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate101.errors = vErrors;
return errors === 0;
}
validate101.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema169 = {"type":"object","additionalProperties":false,"required":["type","key","action","digest"],"properties":{"type":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/PlannedType"},"key":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"from":{"$ref":"https://holdfast.dev/schemas/plan.schema.json/RecordKey"},"action":{"type":"string","enum":["create","update","delete","move"]},"digest":{"anyOf":[{"$ref":"https://holdfast.dev/schemas/plan.schema.json/Digest"},{"type":"null"}]},"pullRequest":{"type":"string","minLength":1}},"$id":"https://holdfast.dev/schemas/plan.schema.json/WaitingRecord"};

function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/WaitingRecord" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate103.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.key === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.action === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "action"},message:"must have required property '"+"action"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.digest === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "digest"},message:"must have required property '"+"digest"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "type") || (key0 === "key")) || (key0 === "from")) || (key0 === "action")) || (key0 === "digest")) || (key0 === "pullRequest"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((((((((((data0 === "applicationConsumers") || (data0 === "characteristics")) || (data0 === "characteristicServiceLinks")) || (data0 === "componentModels")) || (data0 === "dataSources")) || (data0 === "eventModels")) || (data0 === "machineUsers")) || (data0 === "metadataTypes")) || (data0 === "services")) || (data0 === "serviceComponentModelLinks")) || (data0 === "organizations")) || (data0 === "users")) || (data0 === "access"))){
const err6 = {instancePath:instancePath+"/type",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.key !== undefined){
if(typeof data.key !== "string"){
const err7 = {instancePath:instancePath+"/key",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.from !== undefined){
if(typeof data.from !== "string"){
const err8 = {instancePath:instancePath+"/from",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/RecordKey/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.action !== undefined){
let data3 = data.action;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((((data3 === "create") || (data3 === "update")) || (data3 === "delete")) || (data3 === "move"))){
const err10 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/enum",keyword:"enum",params:{allowedValues: schema169.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.digest !== undefined){
let data4 = data.digest;
const _errs14 = errors;
let valid4 = false;
const _errs15 = errors;
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
const err11 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid0 = _errs15 === errors;
valid4 = valid4 || _valid0;
const _errs18 = errors;
if(data4 !== null){
const err13 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var _valid0 = _errs18 === errors;
valid4 = valid4 || _valid0;
if(!valid4){
const err14 = {instancePath:instancePath+"/digest",schemaPath:"#/properties/digest/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
else {
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
}
}
if(data.pullRequest !== undefined){
let data5 = data.pullRequest;
if(typeof data5 === "string"){
if(func2(data5) < 1){
const err15 = {instancePath:instancePath+"/pullRequest",schemaPath:"#/properties/pullRequest/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/pullRequest",schemaPath:"#/properties/pullRequest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate103.errors = vErrors;
return errors === 0;
}
validate103.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json/OwnPart" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate100.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.scope === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.waiting === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "waiting"},message:"must have required property '"+"waiting"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.waitsFor === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "waitsFor"},message:"must have required property '"+"waitsFor"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.drifted === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "drifted"},message:"must have required property '"+"drifted"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!((((((key0 === "scope") || (key0 === "waiting")) || (key0 === "waitsFor")) || (key0 === "drifted")) || (key0 === "notCompared")) || (key0 === "done"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.scope !== undefined){
let data0 = data.scope;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
let data1 = data0[i0];
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/scope/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((((((((((data1 === "applicationConsumers") || (data1 === "characteristics")) || (data1 === "characteristicServiceLinks")) || (data1 === "componentModels")) || (data1 === "dataSources")) || (data1 === "eventModels")) || (data1 === "machineUsers")) || (data1 === "metadataTypes")) || (data1 === "services")) || (data1 === "serviceComponentModelLinks")) || (data1 === "organizations")) || (data1 === "users")) || (data1 === "access"))){
const err6 = {instancePath:instancePath+"/scope/" + i0,schemaPath:"https://holdfast.dev/schemas/plan.schema.json/PlannedType/enum",keyword:"enum",params:{allowedValues: schema111.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/scope",schemaPath:"#/properties/scope/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.waiting !== undefined){
let data2 = data.waiting;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.count === undefined){
const err8 = {instancePath:instancePath+"/waiting",schemaPath:"#/properties/waiting/required",keyword:"required",params:{missingProperty: "count"},message:"must have required property '"+"count"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data2.records === undefined){
const err9 = {instancePath:instancePath+"/waiting",schemaPath:"#/properties/waiting/required",keyword:"required",params:{missingProperty: "records"},message:"must have required property '"+"records"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
for(const key1 in data2){
if(isFull(vErrors)) break;
if(!((key1 === "count") || (key1 === "records"))){
const err10 = {instancePath:instancePath+"/waiting",schemaPath:"#/properties/waiting/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.count !== undefined){
let data3 = data2.count;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err11 = {instancePath:instancePath+"/waiting/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err12 = {instancePath:instancePath+"/waiting/count",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data2.records !== undefined){
let data4 = data2.records;
if(Array.isArray(data4)){
const len1 = data4.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate101(data4[i1], {instancePath:instancePath+"/waiting/records/" + i1,parentData:data4,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate101.errors : vErrors.concat(validate101.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/waiting/records",schemaPath:"#/properties/waiting/properties/records/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/waiting",schemaPath:"#/properties/waiting/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.waitsFor !== undefined){
let data6 = data.waitsFor;
if(Array.isArray(data6)){
const len2 = data6.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(!(validate103(data6[i2], {instancePath:instancePath+"/waitsFor/" + i2,parentData:data6,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
}
}
else {
const err15 = {instancePath:instancePath+"/waitsFor",schemaPath:"#/properties/waitsFor/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.drifted !== undefined){
let data8 = data.drifted;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err16 = {instancePath:instancePath+"/drifted",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err17 = {instancePath:instancePath+"/drifted",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
if(data.notCompared !== undefined){
let data9 = data.notCompared;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err18 = {instancePath:instancePath+"/notCompared",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
const err19 = {instancePath:instancePath+"/notCompared",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
if(data.done !== undefined){
let data10 = data.done;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err20 = {instancePath:instancePath+"/done",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
const err21 = {instancePath:instancePath+"/done",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
}
else {
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
validate100.errors = vErrors;
return errors === 0;
}
validate100.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://holdfast.dev/schemas/plan.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.formatVersion === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "formatVersion"},message:"must have required property '"+"formatVersion"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.domain === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "domain"},message:"must have required property '"+"domain"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.digest === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "digest"},message:"must have required property '"+"digest"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.outcome === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outcome"},message:"must have required property '"+"outcome"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.summary === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "summary"},message:"must have required property '"+"summary"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.scope === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.changes === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "changes"},message:"must have required property '"+"changes"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.access === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "access"},message:"must have required property '"+"access"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.references === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "references"},message:"must have required property '"+"references"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.diagnostics === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "diagnostics"},message:"must have required property '"+"diagnostics"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
for(const key0 in data){
if(isFull(vErrors)) break;
if(!(func1.call(schema89.properties, key0))){
const err10 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.formatVersion !== undefined){
let data0 = data.formatVersion;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err11 = {instancePath:instancePath+"/formatVersion",schemaPath:"#/properties/formatVersion/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(1 !== data0){
const err12 = {instancePath:instancePath+"/formatVersion",schemaPath:"#/properties/formatVersion/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.domain !== undefined){
if(typeof data.domain !== "string"){
const err13 = {instancePath:instancePath+"/domain",schemaPath:"#/properties/domain/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.digest !== undefined){
let data2 = data.digest;
if(typeof data2 === "string"){
if(!pattern7.test(data2)){
const err14 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/pattern",keyword:"pattern",params:{pattern: "^sha256:[0-9a-f]{64}$"},message:"must match pattern \""+"^sha256:[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/digest",schemaPath:"https://holdfast.dev/schemas/plan.schema.json/Digest/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.outcome !== undefined){
let data3 = data.outcome;
if(typeof data3 !== "string"){
const err16 = {instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(!(((data3 === "changes") || (data3 === "no-changes")) || (data3 === "blocked"))){
const err17 = {instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/enum",keyword:"enum",params:{allowedValues: schema89.properties.outcome.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.summary !== undefined){
if(!(validate64(data.summary, {instancePath:instancePath+"/summary",parentData:data,parentDataProperty:"summary",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
errors = vErrors.length;
}
}
if(data.scope !== undefined){
let data5 = data.scope;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0 && !isFull(vErrors); i0++){
if(!(validate66(data5[i0], {instancePath:instancePath+"/scope/" + i0,parentData:data5,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err18 = {instancePath:instancePath+"/scope",schemaPath:"#/properties/scope/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.changes !== undefined){
let data7 = data.changes;
if(Array.isArray(data7)){
const len1 = data7.length;
for(let i1=0; i1<len1 && !isFull(vErrors); i1++){
if(!(validate70(data7[i1], {instancePath:instancePath+"/changes/" + i1,parentData:data7,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
else {
const err19 = {instancePath:instancePath+"/changes",schemaPath:"#/properties/changes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.access !== undefined){
if(!(validate77(data.access, {instancePath:instancePath+"/access",parentData:data,parentDataProperty:"access",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
}
if(data.references !== undefined){
let data10 = data.references;
if(Array.isArray(data10)){
const len2 = data10.length;
for(let i2=0; i2<len2 && !isFull(vErrors); i2++){
if(!(validate86(data10[i2], {instancePath:instancePath+"/references/" + i2,parentData:data10,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate86.errors : vErrors.concat(validate86.errors);
errors = vErrors.length;
}
}
}
else {
const err20 = {instancePath:instancePath+"/references",schemaPath:"#/properties/references/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.diagnostics !== undefined){
let data12 = data.diagnostics;
if(Array.isArray(data12)){
const len3 = data12.length;
for(let i3=0; i3<len3 && !isFull(vErrors); i3++){
if(!(validate88(data12[i3], {instancePath:instancePath+"/diagnostics/" + i3,parentData:data12,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
errors = vErrors.length;
}
}
}
else {
const err21 = {instancePath:instancePath+"/diagnostics",schemaPath:"#/properties/diagnostics/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.notCompared !== undefined){
let data14 = data.notCompared;
if(Array.isArray(data14)){
const len4 = data14.length;
for(let i4=0; i4<len4 && !isFull(vErrors); i4++){
if(!(validate90(data14[i4], {instancePath:instancePath+"/notCompared/" + i4,parentData:data14,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
}
}
else {
const err22 = {instancePath:instancePath+"/notCompared",schemaPath:"#/properties/notCompared/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.drift !== undefined){
let data16 = data.drift;
if(Array.isArray(data16)){
const len5 = data16.length;
for(let i5=0; i5<len5 && !isFull(vErrors); i5++){
if(!(validate92(data16[i5], {instancePath:instancePath+"/drift/" + i5,parentData:data16,parentDataProperty:i5,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate92.errors : vErrors.concat(validate92.errors);
errors = vErrors.length;
}
}
}
else {
const err23 = {instancePath:instancePath+"/drift",schemaPath:"#/properties/drift/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.settlesDrift !== undefined){
let data18 = data.settlesDrift;
if(typeof data18 !== "boolean"){
const err24 = {instancePath:instancePath+"/settlesDrift",schemaPath:"#/properties/settlesDrift/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(true !== data18){
const err25 = {instancePath:instancePath+"/settlesDrift",schemaPath:"#/properties/settlesDrift/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.withheld !== undefined){
let data19 = data.withheld;
if(Array.isArray(data19)){
const len6 = data19.length;
for(let i6=0; i6<len6 && !isFull(vErrors); i6++){
if(!(validate94(data19[i6], {instancePath:instancePath+"/withheld/" + i6,parentData:data19,parentDataProperty:i6,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate94.errors : vErrors.concat(validate94.errors);
errors = vErrors.length;
}
}
}
else {
const err26 = {instancePath:instancePath+"/withheld",schemaPath:"#/properties/withheld/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.breaks !== undefined){
if(!(validate96(data.breaks, {instancePath:instancePath+"/breaks",parentData:data,parentDataProperty:"breaks",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate96.errors : vErrors.concat(validate96.errors);
errors = vErrors.length;
}
}
if(data.own !== undefined){
if(!(validate100(data.own, {instancePath:instancePath+"/own",parentData:data,parentDataProperty:"own",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate100.errors : vErrors.concat(validate100.errors);
errors = vErrors.length;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function isFull(errors) {
  return errors !== null && errors.length > 1000;
}

exports.records = {
  applicationConsumers: exports.applicationConsumers,
  characteristics: exports.characteristics,
  characteristicServiceLinks: exports.characteristicServiceLinks,
  componentModels: exports.componentModels,
  dataSources: exports.dataSources,
  eventModels: exports.eventModels,
  machineUsers: exports.machineUsers,
  metadataTypes: exports.metadataTypes,
  services: exports.services,
  serviceComponentModelLinks: exports.serviceComponentModelLinks,
  organizations: exports.organizations,
  users: exports.users,
}
